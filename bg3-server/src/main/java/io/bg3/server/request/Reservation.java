package io.bg3.server.request;

import io.bg3.server.dispatch.Budget;
import java.util.concurrent.atomic.AtomicLong;

/** Memory that a decoded request has taken from the budget. Threads: any. */
final class Reservation {
  private final Budget budget;
  private final AtomicLong bytes;

  Reservation(Budget budget, long bytes) {
    this.budget = budget;
    this.bytes = new AtomicLong(bytes);
  }

  /** Gives it back. Does nothing the second time. */
  void release() {
    budget.give(bytes.getAndSet(0));
  }
}
