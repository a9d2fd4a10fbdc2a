package io.bg3.core.forest;

import io.bg3.core.entry.EdgeKey;

/**
 * The numbers of the trees that every store has. They stand in pages, log records and the manifest:
 * never reused.
 */
public final class TreeIds {
  /** Owner (8 bytes) to vertex record. */
  public static final int VERTICES = 1;

  /** Labels and property keys to their codes and back. */
  public static final int DICTIONARY = 2;

  /** String and UUID vertex ids to internal ids. */
  public static final int EXTERNAL_IDS = 3;

  /** Internal ids to the string or UUID that the user gave. */
  public static final int EXTERNAL_OF = 4;

  /** Edge ids that the user gave, to the edge and back. */
  public static final int EDGE_IDS = 5;

  /** Large property values: owner, property, to the value. */
  public static final int PROPERTIES = 6;

  /** Id blocks and other facts about the store. */
  public static final int META = 7;

  /** Owner to dedicated tree. */
  public static final int DIRECTORY = 8;

  /** Entries of property indexes: index, value, vertex, to nothing. */
  public static final int INDEX_ENTRIES = 9;

  /** The byte-key tree with the highest number. */
  public static final int LAST_BYTES = INDEX_ENTRIES;

  /** The first INIT tree of edges; INIT tree i is {@code FIRST_INIT + i}. */
  public static final int FIRST_INIT = 64;

  /** The tree of a family of edge labels is this plus the number of the family, from 1 on. */
  public static final int FAMILIES = 1 << 10;

  /**
   * The first dedicated tree. A number is given once, in ascending order, and never again: a reader
   * or a hint that knows a tree which has gone meets no other tree by its number.
   */
  public static final int FIRST_DEDICATED = 1 << 16;

  private TreeIds() {}

  /** The family that a tree is of; 0 for none. */
  public static int family(int tree) {
    return tree > FAMILIES && tree <= FAMILIES + EdgeKey.MAX_FAMILY ? tree - FAMILIES : 0;
  }
}
