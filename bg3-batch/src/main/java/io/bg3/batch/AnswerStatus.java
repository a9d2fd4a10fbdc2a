package io.bg3.batch;

/** The outcome of an operation. */
public enum AnswerStatus {
  /** The operation is done; if it writes, its commit is as durable as the store promises. */
  DONE(0),

  /** The operation has failed and has changed nothing. */
  FAILED(1),

  /**
   * The read was not executed, because the response is full. The client sends it again; a read that
   * is deferred although it was alone has to ask for less.
   */
  DEFERRED(2);

  private static final AnswerStatus[] STATUSES = values();

  private final int number;

  AnswerStatus(int number) {
    this.number = number;
  }

  /** The number in a response. */
  int number() {
    return number;
  }

  static AnswerStatus of(int number) {
    if (number >= STATUSES.length) {
      throw new IllegalArgumentException("status is not known: status=" + number);
    }
    assert STATUSES[number].number == number : number;
    return STATUSES[number];
  }
}
