package io.bg3.transfer.definitions;

import io.bg3.core.graph.IndexedKeys;

/** A property index: its elements and keys, and whether no two elements share a value. */
public record IndexDefinition(IndexedKeys of, boolean unique) {
  /** For people: {@code index person.name}, {@code unique index person.mail}. */
  @Override
  public String toString() {
    return (unique ? "unique index " : "index ") + of;
  }
}
