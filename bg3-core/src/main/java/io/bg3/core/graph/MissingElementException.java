package io.bg3.core.graph;

/**
 * A vertex, edge or property that was to be changed, or to become an end, does not exist (any
 * more).
 */
public final class MissingElementException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  MissingElementException(String kind, Object id) {
    super(kind + " does not exist: id=" + id);
  }
}
