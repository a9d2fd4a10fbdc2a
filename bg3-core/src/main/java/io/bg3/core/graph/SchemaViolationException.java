package io.bg3.core.graph;

/** A commit would leave an element that breaks a rule of the schema of its label. */
public final class SchemaViolationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  SchemaViolationException(String message) {
    super(message);
  }
}
