package io.bg3.transfer.definitions;

import io.bg3.core.graph.IndexedKeys;

/** A property index: its elements and keys, and whether no two elements share a value. */
public record IndexDefinition(IndexedKeys of, boolean unique) {}
