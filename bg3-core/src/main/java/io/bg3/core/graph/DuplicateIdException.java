package io.bg3.core.graph;

/** A vertex or edge with the given id exists already. */
public final class DuplicateIdException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  DuplicateIdException(String kind, Object id) {
    super(kind + " exists already: id=" + id);
  }
}
