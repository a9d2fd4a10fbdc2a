package io.bg3.server.dispatch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The requests that wait, in the order in which they begin: start-time fair queueing on two levels.
 * The owner comes next that has used the least thread time, and of its clients the one that has
 * used the least; the requests of a client begin in the order in which they came.
 *
 * <pre>
 *   owner ada    time  120 ms   connection 1  time 20 ms    r r r
 *                               connection 2  time 90 ms    r
 *   owner bob    time   15 ms   connection 3  time 15 ms    r r          next
 * </pre>
 *
 * <ul>
 *   <li>Q1: an owner or client that has had nothing to do begins at the time of the one that was
 *       served last, so time without requests cannot be saved up. A request that has run and waits
 *       for its commit to be durable is nothing to do.
 *   <li>Q2: a new one begins a step later than that, and not before a client of its owner stood
 *       that is gone, so a connection for each request is no advantage.
 *   <li>Q3: no client is more than {@code mostDebt} behind. Threads that no other wanted are not
 *       held against a client for long.
 *   <li>Q4: requests behind one that was taken out without being run do not begin before {@link
 *       #mend} says that they may.
 *   <li>Q5: an owner that is held back comes next only if no other owner is ready and {@link
 *       #letHeldBegin} permits it.
 *   <li>Q6: an owner that has as many queries running as its {@link OwnerLimits} permit begins no
 *       other before one of them has ended. Requests of sessions are no such queries: they begin
 *       and do not count, so a transaction never waits for a query that has no end.
 * </ul>
 *
 * <p>Not thread-safe: the scheduler's lock guards it. It has no clock; all times are given.
 */
final class FairQueue {
  /** A request that was taken out without being run, and its client. */
  record Removed(Client client, ScheduledRequest work) {}

  /** Bytes that a waiting request takes beside its own. */
  static final int OVERHEAD = 160;

  private final TreeSet<Owner> ready = new TreeSet<>(Owner.BY_TIME);
  private final TreeSet<Owner> held = new TreeSet<>(Owner.BY_TIME); // ready, and held back (Q5)
  private final Set<Client> waiting = new LinkedHashSet<>();
  private final int overlap;
  private final long step;
  private final long mostDebt;
  private long now; // the time of the owner that was served last
  private long order;
  private int size;
  private long bytes;
  private boolean mayHeldBegin = true;

  /**
   * @param overlap requests of one client that run at once
   * @param step nanoseconds that a new client begins later (Q2)
   * @param mostDebt nanoseconds (Q3)
   */
  FairQueue(int overlap, long step, long mostDebt) {
    this.overlap = overlap;
    this.step = step;
    this.mostDebt = mostDebt;
  }

  /** Requests that wait. */
  int size() {
    return size;
  }

  /** Bytes of the requests that wait. */
  long bytes() {
    return bytes;
  }

  /** Bytes that a request counts for. */
  static int bytesOf(ScheduledRequest work) {
    return work.bytes() + OVERHEAD;
  }

  /** Whether a request of another client than this one may begin. */
  boolean isAnotherReady(Client client) {
    SortedSet<Owner> owners = next();
    if (owners.isEmpty()) {
      return false;
    }
    Owner owner = owners.first();
    return owners.size() > 1
        || owner.next().size() > 1
        || owner.next().first() != client
        || (mayHeldBegin && !ready.isEmpty() && !held.isEmpty());
  }

  /** The owners of which the first comes next. */
  private SortedSet<Owner> next() {
    return ready.isEmpty() && mayHeldBegin ? held : ready;
  }

  /** Holds an owner back, or lets it come in its turn again (Q5). */
  void hold(Owner owner, boolean isHeld) {
    if (owner.isHeld != isHeld) {
      remove(owner);
      owner.isHeld = isHeld;
      update(owner);
    }
  }

  /** Sets what the queries of an owner may take (Q6). */
  void limit(Owner owner, OwnerLimits limits) {
    owner.limits = limits;
    update(owner);
  }

  /** Says whether owners that are held back may begin requests while no other owner is ready. */
  void letHeldBegin(boolean may) {
    mayHeldBegin = may;
  }

  /** Whether requests could begin if their owners were not held back. */
  boolean isHeldBack() {
    return ready.isEmpty() && !mayHeldBegin && !held.isEmpty();
  }

  /** Puts a request behind those of its client that wait. */
  void add(Client client, ScheduledRequest work, long since) {
    Owner owner = client.owner;
    if (owner.isIdle()) { // Q1, Q2
      owner.time = Math.max(owner.time, now + (owner.isNew ? step : 0));
    }
    if (client.isIdle()) {
      long begin = client.isNew ? Math.max(owner.now + step, owner.closed) : owner.now;
      client.time = Math.max(client.time, begin);
    }
    owner.isNew = false;
    client.isNew = false;
    int size = bytesOf(work);
    client.waiting.add(new Client.Waiting(work, since, size, work.isInSession()));
    client.hasWaiting = true;
    waiting.add(client);
    count(client, 1, size);
    update(client);
  }

  private void count(Client client, int requests, long size) {
    this.size += requests;
    client.owner.waiting += requests;
    bytes += size;
    client.bytes += size;
    client.owner.bytes += size;
  }

  /**
   * The client whose request begins next; null if none may begin. The request is taken by {@link
   * #take}.
   */
  Client peek() {
    SortedSet<Owner> owners = next();
    return owners.isEmpty() ? null : owners.first().next().first();
  }

  /** Takes the next request of a client that {@link #peek} gave: it is being prepared now. */
  ScheduledRequest take(Client client) {
    Owner owner = client.owner;
    now = Math.max(now, owner.time);
    owner.now = Math.max(owner.now, client.time);
    Client.Waiting taken = client.waiting.remove();
    removed(client, taken);
    client.isPreparing = true;
    client.running++;
    owner.running++;
    owner.queries += taken.isInSession() ? 0 : 1;
    update(client);
    return taken.work();
  }

  private void removed(Client client, Client.Waiting request) {
    count(client, -1, -request.bytes());
    if (client.waiting.isEmpty()) {
      client.hasWaiting = false;
      waiting.remove(client);
    }
  }

  /** Notes that the request that was being prepared runs, so that the next may be prepared. */
  void prepared(Client client) {
    client.isPreparing = false;
    update(client);
  }

  /** Notes that a request of a client that was prepared has ended. */
  void ended(Client client, ScheduledRequest work) {
    client.running--;
    client.owner.running--;
    client.owner.queries -= work.isInSession() ? 0 : 1;
    update(client);
  }

  /**
   * Whether a request of a client may begin without waiting, as far as its client's others go: none
   * waits or has a thread.
   */
  boolean mayBeginAtOnce(Client client) {
    return client.isIdle() && client.running < overlap;
  }

  /** Notes that a request of a client, which never waited, runs without a thread. */
  void waitsForAnswer(Client client) {
    client.late++;
    client.owner.late++;
    client.running++;
    client.owner.running++;
    client.owner.queries++;
    update(client);
  }

  /** Notes that such a request is answered. */
  void answered(Client client) {
    client.late--;
    client.owner.late--;
    client.running--;
    client.owner.running--;
    client.owner.queries--;
    update(client);
  }

  /** Holds back a client's requests, or lets them begin again. */
  void block(Client client, boolean isBlocked, long now) {
    client.isBlocked = isBlocked;
    client.unblocked = now;
    update(client);
  }

  /** Notes that a request of a client is not run, so that those behind it do not begin (Q4). */
  void breakOff(Client client) {
    client.refused++;
    update(client);
  }

  /** Takes {@link #breakOff} back for one request. */
  void mend(Client client) {
    client.refused--;
    update(client);
  }

  /** Takes note that a client is gone: those that its owner makes anew begin where it stood. */
  void close(Client client) {
    client.owner.closed = Math.max(client.owner.closed, client.time);
  }

  /** Whether an owner has used more time than the one that was served last. */
  boolean isAhead(Owner owner) {
    return owner.time > now;
  }

  /**
   * Whether a request of an owner overtakes none of another owner that comes before it, if it
   * begins without waiting.
   */
  boolean mayGoFirst(Owner owner) {
    return size == owner.waiting || !isAhead(owner);
  }

  /** Charges a client, and its owner, for thread time. */
  void charge(Client client, long nanos) {
    Owner owner = client.owner;
    remove(client);
    remove(owner);
    if (owner.isIdle()) { // Q1: it has had only requests that never waited
      owner.time = Math.max(owner.time, now);
    }
    if (client.isIdle()) {
      client.time = Math.max(client.time, owner.now);
    }
    client.time = Math.max(client.time, Math.min(client.time + nanos, owner.now + mostDebt)); // Q3
    owner.time = Math.max(owner.time, Math.min(owner.time + nanos, now + mostDebt));
    update(client);
    update(owner);
  }

  /** Takes out what a client has waiting. */
  List<ScheduledRequest> clear(Client client) {
    List<ScheduledRequest> cleared = new ArrayList<>();
    while (!client.waiting.isEmpty()) {
      Client.Waiting request = client.waiting.remove();
      removed(client, request);
      cleared.add(request.work());
    }
    update(client);
    return cleared;
  }

  /** Takes out everything. */
  List<Removed> clear() {
    List<Removed> cleared = new ArrayList<>();
    for (Client client : List.copyOf(waiting)) {
      for (ScheduledRequest work : clear(client)) {
        breakOff(client);
        cleared.add(new Removed(client, work));
      }
    }
    return cleared;
  }

  /**
   * Takes out what has waited since this time or longer. A client that does not read what it is
   * sent waits for itself; its time begins when it reads again.
   */
  List<Removed> expire(long since) {
    List<Removed> expired = new ArrayList<>();
    for (Client client : List.copyOf(waiting)) {
      while (isExpired(client, since)) {
        Client.Waiting request = client.waiting.remove();
        removed(client, request);
        client.refused++;
        expired.add(new Removed(client, request.work()));
      }
      update(client);
    }
    return expired;
  }

  /** Takes out one request of these clients' by its number; null if none of them has it waiting. */
  Removed remove(long number, Predicate<Client> of) {
    for (Client client : waiting) {
      if (of.test(client)) {
        for (Client.Waiting request : client.waiting) {
          if (request.work().number() == number) {
            client.waiting.remove(request);
            removed(client, request);
            breakOff(client);
            return new Removed(client, request.work());
          }
        }
      }
    }
    return null;
  }

  /** Clients that have a request waiting, the one that has waited longest first. */
  Collection<Client> waiting() {
    return waiting;
  }

  private static boolean isExpired(Client client, long since) {
    return !client.isBlocked
        && !client.waiting.isEmpty()
        && client.waiting.peek().since() - since <= 0
        && (client.unblocked == 0 || client.unblocked - since <= 0);
  }

  /**
   * Takes out the newest request of the client that has the most bytes waiting, to make room: of
   * the owner with the most bytes, the client with the most. Null if the client that needs room
   * would then have more itself.
   *
   * @param client needs room
   * @param needed bytes that it needs
   */
  Removed evictByBytes(Client client, long needed) {
    return evict(client, needed, other -> other.bytes, owner -> owner.bytes);
  }

  /** As {@link #evictByBytes}, by the number of requests: for a queue that has too many. */
  Removed evictByCount(Client client) {
    return evict(client, 1, other -> other.waiting.size(), owner -> owner.waiting);
  }

  private Removed evict(
      Client client, long needed, ToLongFunction<Client> load, ToLongFunction<Owner> ownerLoad) {
    Client heaviest = null;
    for (Client other : waiting) {
      if (heaviest == null || isHeavier(other, heaviest, load, ownerLoad)) {
        heaviest = other;
      }
    }
    if (heaviest == null) {
      return null;
    }
    boolean isHeavier =
        heaviest.owner == client.owner
            ? load.applyAsLong(heaviest) > load.applyAsLong(client) + needed
            : ownerLoad.applyAsLong(heaviest.owner) > ownerLoad.applyAsLong(client.owner) + needed;
    if (!isHeavier) {
      return null;
    }
    Client.Waiting newest = heaviest.waiting.removeLast();
    removed(heaviest, newest);
    breakOff(heaviest);
    return new Removed(heaviest, newest.work());
  }

  private static boolean isHeavier(
      Client one, Client other, ToLongFunction<Client> load, ToLongFunction<Owner> ownerLoad) {
    int order = Long.compare(ownerLoad.applyAsLong(one.owner), ownerLoad.applyAsLong(other.owner));
    return order > 0 || (order == 0 && load.applyAsLong(one) >= load.applyAsLong(other));
  }

  private void update(Client client) {
    boolean mayBegin =
        !client.waiting.isEmpty()
            && !client.isPreparing
            && !client.isBlocked
            && client.refused == 0
            && client.running < overlap;
    if (!mayBegin) {
      remove(client);
    } else if (!client.isReady) {
      client.isReady = true;
      client.order = ++order;
      client.owner.ready.add(client);
    }
    if (client.isReady && client.waiting.peek().isInSession()) {
      client.owner.readyInSessions.add(client);
    } else {
      client.owner.readyInSessions.remove(client);
    }
    update(client.owner);
  }

  private void remove(Client client) {
    if (client.isReady) {
      client.owner.ready.remove(client);
      client.owner.readyInSessions.remove(client);
      client.isReady = false;
    }
  }

  private void update(Owner owner) {
    if (owner.next().isEmpty()) {
      remove(owner);
    } else if (!owner.isReady) {
      owner.isReady = true;
      owner.order = ++order;
      (owner.isHeld ? held : ready).add(owner);
    }
  }

  private void remove(Owner owner) {
    if (owner.isReady) {
      (owner.isHeld ? held : ready).remove(owner);
      owner.isReady = false;
    }
  }
}
