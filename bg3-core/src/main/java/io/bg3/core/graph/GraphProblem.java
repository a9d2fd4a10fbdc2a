package io.bg3.core.graph;

/**
 * Something about the graph that does not fit together.
 *
 * @param rule which rule is broken, as {@link GraphCheck} numbers them
 * @param detail what was expected and found, with the element
 */
public record GraphProblem(String rule, String detail) {
  @Override
  public String toString() {
    return rule + ": " + detail;
  }
}
