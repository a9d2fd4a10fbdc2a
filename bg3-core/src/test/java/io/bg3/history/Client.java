package io.bg3.history;

import java.util.ArrayList;
import java.util.List;

/** One client of a history: begins transactions one after another. Threads: one at a time. */
public final class Client {
  private final History history;
  private final int number;
  private final List<Attempt> attempts = new ArrayList<>();

  Client(History history, int number) {
    this.history = history;
    this.number = number;
  }

  /** A transaction is about to begin: call it before the store is asked for one. */
  public Attempt begin() {
    Attempt attempt = new Attempt(this, now());
    attempts.add(attempt);
    return attempt;
  }

  /** A value that nobody has written yet. */
  public int value() {
    return history.value();
  }

  int number() {
    return number;
  }

  long now() {
    return history.now();
  }

  List<Attempt> attempts() {
    return attempts;
  }
}
