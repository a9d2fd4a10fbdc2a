package io.bg3.batch;

/** The state of a link before an operation changed it. */
public enum PriorState {
  /** There was no such link. */
  ABSENT(0),

  /** The link was hidden: lists and counts left it out. */
  HIDDEN(1),

  /** The link was visible. */
  VISIBLE(2);

  private static final PriorState[] STATES = values();

  private final int number;

  PriorState(int number) {
    this.number = number;
  }

  /** The number in a response. */
  public int number() {
    return number;
  }

  static PriorState of(long number) {
    if (number < 0 || number >= STATES.length) {
      throw new IllegalArgumentException("state is not known: state=" + number);
    }
    assert STATES[(int) number].number == number : number;
    return STATES[(int) number];
  }
}
