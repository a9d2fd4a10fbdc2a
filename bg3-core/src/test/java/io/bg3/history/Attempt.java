package io.bg3.history;

import java.util.ArrayList;
import java.util.List;

/**
 * One transaction as its client saw it. Record every operation when its answer is there, and the
 * outcome last, as soon as it is known: the time between the first and the last call is when the
 * transaction can have taken effect.
 *
 * <p>Threads: belongs to the client's thread until {@link History#attempts()} is asked for.
 */
public final class Attempt {
  /** The end of a transaction of which no end is known. */
  static final long OPEN = Long.MAX_VALUE;

  private final Client client;
  private final long start;
  private final List<Operation> operations = new ArrayList<>(4);
  private long end = OPEN;
  private Outcome outcome = Outcome.UNKNOWN;

  Attempt(Client client, long start) {
    this.client = client;
    this.start = start;
  }

  /** Appended the value to the list, or added it to the set, of that key. */
  public Attempt append(long key, int value) {
    operations.add(Operation.one(Operation.Kind.APPEND, key, value));
    return this;
  }

  /** Read the whole list of the key; an absent key is an empty list. */
  public Attempt read(long key, int... list) {
    operations.add(Operation.one(Operation.Kind.READ, key, list));
    return this;
  }

  /** Read the whole set of the key, in any order; an absent key is an empty set. */
  public Attempt readSet(long key, int... members) {
    operations.add(Operation.one(Operation.Kind.SET, key, members));
    return this;
  }

  /** Read only how many values the key has. */
  public Attempt readCount(long key, int count) {
    operations.add(Operation.one(Operation.Kind.COUNT, key, count));
    return this;
  }

  /** Read all lists of the keys in [low, high); what is not among the keys was empty. */
  public Attempt range(long low, long high, long[] keys, int[][] lists) {
    operations.add(Operation.range(Operation.Kind.RANGE, low, high, keys, lists));
    return this;
  }

  /** Read all sets of the keys in [low, high); what is not among the keys was empty. */
  public Attempt setRange(long low, long high, long[] keys, int[][] sets) {
    operations.add(Operation.range(Operation.Kind.SET_RANGE, low, high, keys, sets));
    return this;
  }

  /** The transaction was acknowledged now. */
  public void committed() {
    end(Outcome.COMMITTED);
  }

  /** The transaction was refused or rolled back. */
  public void aborted() {
    end(Outcome.ABORTED);
  }

  /** No answer came or will come; the same as never saying anything. */
  public void unknown() {
    outcome = Outcome.UNKNOWN;
    end = OPEN;
  }

  /** Records this outcome. */
  public void end(Outcome how) {
    if (how == Outcome.UNKNOWN) {
      unknown();
    } else {
      outcome = how;
      end = client.now();
    }
  }

  long start() {
    return start;
  }

  long end() {
    return end;
  }

  Outcome outcome() {
    return outcome;
  }

  List<Operation> operations() {
    return operations;
  }

  @Override
  public String toString() {
    String until = end == OPEN ? "..." : String.valueOf(end);
    return "client "
        + client.number()
        + ", "
        + start
        + ".."
        + until
        + ", "
        + outcome
        + ": "
        + operations;
  }
}
