package io.bg3.batch;

/** The code of an operation in a request. */
public enum OperationCode {
  ADD_LINK(1, "links.add", true),
  DELETE_LINK(2, "links.delete", true),
  GET_LINKS(3, "links.get", false),
  LIST_LINKS(4, "links.list", false),
  COUNT_LINKS(5, "links.count", false),
  ADD_NODE(6, "nodes.add", true),
  GET_NODE(7, "nodes.get", false),
  UPDATE_NODE(8, "nodes.update", true),
  DELETE_NODE(9, "nodes.delete", true);

  private static final OperationCode[] CODES = values();

  private final int number;
  private final String text;
  private final boolean writes;

  OperationCode(int number, String text, boolean writes) {
    this.number = number;
    this.text = text;
    this.writes = writes;
  }

  /**
   * The code with a number.
   *
   * @throws IllegalArgumentException if there is none
   */
  static OperationCode of(int number) {
    if (number < 1 || number > CODES.length) {
      throw new IllegalArgumentException("operation is not known: code=" + number);
    }
    assert CODES[number - 1].number == number : number;
    return CODES[number - 1];
  }

  int number() {
    return number;
  }

  /** Whether the operation may change the graph. */
  public boolean writes() {
    return writes;
  }

  /** The name of the service that does this operation alone, without its prefix {@code bg3.}. */
  @Override
  public String toString() {
    return text;
  }
}
