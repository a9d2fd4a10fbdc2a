package io.bg3.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The transactions that took effect: the acknowledged ones, and of those with an unknown outcome
 * those of which a transaction saw a value. No transaction has seen what is left of the unknown
 * ones, not even by the final read.
 */
final class Transactions {
  /** Of {@link #writer}: nobody wrote the value. */
  static final int NOBODY = -1;

  /** Of {@link #writer}: the writer did not take effect. */
  static final int ABORTED = -2;

  private final Attempt[] effective;
  private final Attempt[] writers;
  private final int[] writer;

  private Transactions(Attempt[] effective, Attempt[] writers, int[] writer) {
    this.effective = effective;
    this.writers = writers;
    this.writer = writer;
  }

  static Transactions of(List<Attempt> attempts, Keys keys) {
    Attempt[] writers = writers(attempts);
    List<Attempt> effective = new ArrayList<>();
    boolean[] inferred = new boolean[writers.length];
    for (Attempt attempt : attempts) {
      if (attempt.outcome() == Outcome.COMMITTED) {
        effective.add(attempt);
      }
    }
    for (int i = 0; i < effective.size(); i++) {
      Attempt reader = effective.get(i);
      Observation.each(
          reader,
          keys,
          observation -> {
            if (observation.values() == null) {
              return;
            }
            for (int value : observation.array()) {
              Attempt writer = value > 0 && value < writers.length ? writers[value] : null;
              if (writer != null
                  && writer.outcome() == Outcome.UNKNOWN
                  && !inferred[first(writer)]
                  && writer != reader) {
                inferred[first(writer)] = true;
                effective.add(writer);
              }
            }
          });
    }
    int[] writer = new int[writers.length];
    Arrays.fill(writer, NOBODY);
    for (int value = 0; value < writers.length; value++) {
      if (writers[value] != null) {
        writer[value] = ABORTED;
      }
    }
    Attempt[] numbered = effective.toArray(Attempt[]::new);
    for (int i = 0; i < numbered.length; i++) {
      for (Operation operation : numbered[i].operations()) {
        if (operation.kind == Operation.Kind.APPEND) {
          writer[operation.values[0]] = i;
        }
      }
    }
    return new Transactions(numbered, writers, writer);
  }

  private static Attempt[] writers(List<Attempt> attempts) {
    Attempt[] writers = new Attempt[1024];
    for (Attempt attempt : attempts) {
      for (Operation operation : attempt.operations()) {
        if (operation.kind == Operation.Kind.APPEND) {
          int value = operation.values[0];
          if (value >= writers.length) {
            writers = Arrays.copyOf(writers, Math.max(value + 1, 2 * writers.length));
          }
          if (writers[value] != null) {
            throw new IllegalArgumentException(
                "a value is written twice: value=" + value + ", " + attempt);
          }
          writers[value] = attempt;
        }
      }
    }
    return writers;
  }

  /** The first value that a writer wrote: it names the writer. */
  private static int first(Attempt writer) {
    for (Operation operation : writer.operations()) {
      if (operation.kind == Operation.Kind.APPEND) {
        return operation.values[0];
      }
    }
    throw new AssertionError("no writer: " + writer);
  }

  int count() {
    return effective.length;
  }

  /** Above every value that was written. */
  int values() {
    return writer.length;
  }

  Attempt get(int number) {
    return effective[number];
  }

  /** Number of the transaction that wrote the value, {@link #ABORTED} or {@link #NOBODY}. */
  int writer(int value) {
    return value > 0 && value < writer.length ? writer[value] : NOBODY;
  }

  /** The transaction that wrote the value, whatever became of it; null if nobody did. */
  Attempt anyWriter(int value) {
    return value > 0 && value < writers.length ? writers[value] : null;
  }

  /** One line for a proof. */
  String describe(int number) {
    return describe(number, effective[number]);
  }

  static String describe(int number, Attempt attempt) {
    String text = attempt.toString();
    return "T"
        + number
        + " {"
        + (text.length() > 600 ? text.substring(0, 600) + "..." : text)
        + "}";
  }
}
