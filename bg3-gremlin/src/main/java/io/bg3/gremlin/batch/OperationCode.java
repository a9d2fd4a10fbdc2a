package io.bg3.gremlin.batch;

/** The code of an operation in a message. */
enum OperationCode {
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
   * The one with a number.
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

  boolean writes() {
    return writes;
  }

  /** The service that does the same, for people. */
  @Override
  public String toString() {
    return text;
  }
}
