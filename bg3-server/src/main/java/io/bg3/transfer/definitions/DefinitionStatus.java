package io.bg3.transfer.definitions;

/**
 * How far the store is with a definition that takes work beside the writers.
 *
 * @param kind what was defined
 * @param name of a label or schema, or the text of an index
 * @param isWorking whether the work goes on
 * @param problem why it has stopped, or why the definition does not hold; null if there is none
 */
public record DefinitionStatus(Kind kind, String name, boolean isWorking, String problem) {
  /** The kinds of definitions with a state. */
  public enum Kind {
    /** An edge label that becomes counted or ordered. */
    LABEL("edge label"),
    /** A schema that is verified. */
    SCHEMA("schema"),
    /** A property index that is built. */
    INDEX("index");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** For people: {@code index person.name}. */
  public String title() {
    return kind + " " + name;
  }

  /** For people: {@code index person.name: ready}, or the problem behind the colon. */
  @Override
  public String toString() {
    return title() + ": " + (problem != null ? problem : isWorking ? "working" : "ready");
  }
}
