package io.bg3.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Everything that the clients of a store observed. Threads: clients may be made and values taken
 * from any thread; {@link #attempts()} only when all clients have stopped.
 */
public final class History {
  private final LongSupplier clock;
  private final AtomicInteger values = new AtomicInteger();
  private final List<Client> clients = new ArrayList<>();

  /** A history by the clock of this process, in nanoseconds. */
  public History() {
    this(System::nanoTime);
  }

  /**
   * A history by a clock of one's own. Two readings may be equal; then neither counts as before the
   * other.
   *
   * @param clock never goes back, seen from all threads together
   */
  public History(LongSupplier clock) {
    this.clock = clock;
  }

  /** Another client. */
  public Client client() {
    synchronized (clients) {
      Client client = new Client(this, clients.size());
      clients.add(client);
      return client;
    }
  }

  /** A value that was never returned before: 1, 2, 3, ... */
  public int value() {
    return values.incrementAndGet();
  }

  long now() {
    return clock.getAsLong();
  }

  /** Every transaction of every client. */
  List<Attempt> attempts() {
    synchronized (clients) {
      List<Attempt> all = new ArrayList<>();
      for (Client client : clients) {
        all.addAll(client.attempts());
      }
      return all;
    }
  }

  /** How many transactions ended like this. */
  public int count(Outcome outcome) {
    int count = 0;
    for (Attempt attempt : attempts()) {
      if (attempt.outcome() == outcome) {
        count++;
      }
    }
    return count;
  }
}
