package io.bg3.server.request;

import io.bg3.server.dispatch.Budget;
import io.bg3.server.dispatch.Client;
import java.util.concurrent.atomic.AtomicLong;

/** Memory that a decoded request has taken from the budget. Threads: any. */
final class Reservation {
  private final Budget budget;
  private final Client client;
  private final AtomicLong bytes;

  Reservation(Budget budget, Client client, long bytes) {
    this.budget = budget;
    this.client = client;
    this.bytes = new AtomicLong(bytes);
  }

  /** Gives back all but so many bytes. Called before another thread knows the reservation. */
  void shrink(long to) {
    long rest = Math.min(to, bytes.get());
    budget.give(client, bytes.getAndSet(rest) - rest);
  }

  /** Gives all back. Does nothing the second time. */
  void release() {
    budget.give(client, bytes.getAndSet(0));
  }
}
