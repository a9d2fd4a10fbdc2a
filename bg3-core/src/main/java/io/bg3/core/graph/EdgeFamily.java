package io.bg3.core.graph;

import io.bg3.core.transaction.Dictionary;
import io.bg3.storage.codec.Compression;
import java.util.StringJoiner;

/**
 * A named set of edge labels whose edges have a tree and extents of their own (R51), and how these
 * are kept. A label is of a family from its declaration on, or never.
 *
 * <p>The entries of all vertices are in one tree of the family. With a split-out, a vertex with
 * more entries in the family moves to a tree of its own for these, as {@code bg3.forest.split-out}
 * has vertices do with other edges.
 *
 * @param name 1 to 1,024 bytes in UTF-8
 * @param ttlMillis how long the edges of its labels live, in milliseconds; 0 if they stay. Never
 *     changes
 * @param pageCapacity bytes above which a leaf is split, 512 to 65,536; 0 for {@code
 *     bg3.page.capacity}
 * @param consolidate entries that the delta of a leaf may hold, 1 to 1,000; 0 for {@code
 *     bg3.page.consolidate}
 * @param splitOut entries of a vertex in the family above which it gets a tree of its own for them,
 *     8 at least; 0 if none gets one
 * @param compression how the base and delta images of leaves are compressed, as {@code
 *     bg3.compression.base} takes it; empty for the settings of the store
 */
public record EdgeFamily(
    String name,
    long ttlMillis,
    int pageCapacity,
    int consolidate,
    int splitOut,
    String compression) {
  private static final int LEAST_CAPACITY = 512;
  private static final int MOST_CAPACITY = 64 << 10;
  private static final int MOST_CONSOLIDATE = 1_000;
  private static final int LEAST_SPLIT_OUT = 8;

  /** Checks the settings; throws IllegalArgumentException if one is out of its range. */
  public EdgeFamily {
    Dictionary.requireName(name);
    require(
        ttlMillis >= 0 && ttlMillis <= EdgeLabelForm.MOST_TTL_MILLIS,
        name,
        "ttl=" + ttlMillis,
        "1 to " + EdgeLabelForm.MOST_TTL_MILLIS + ", or 0 for none");
    require(
        pageCapacity == 0 || (pageCapacity >= LEAST_CAPACITY && pageCapacity <= MOST_CAPACITY),
        name,
        "pageCapacity=" + pageCapacity,
        LEAST_CAPACITY + " to " + MOST_CAPACITY + ", or 0 for bg3.page.capacity");
    require(
        consolidate >= 0 && consolidate <= MOST_CONSOLIDATE,
        name,
        "consolidate=" + consolidate,
        "1 to " + MOST_CONSOLIDATE + ", or 0 for bg3.page.consolidate");
    require(
        splitOut == 0 || splitOut >= LEAST_SPLIT_OUT,
        name,
        "splitOut=" + splitOut,
        LEAST_SPLIT_OUT + " to " + Integer.MAX_VALUE + ", or 0 for none");
    require(
        compression.isEmpty() || Compression.isValid(compression),
        name,
        "compression=" + compression,
        "none, packed, lz4, zstd, zstd:1 to zstd:19, or empty for bg3.compression.*");
    compression = compression.isEmpty() ? "" : Compression.of(compression).text();
  }

  /**
   * The name, and the settings that are not those of the store, as {@code bg3.families} has them.
   */
  @Override
  public String toString() {
    StringJoiner said = new StringJoiner(", ", name + ": ", "").setEmptyValue(name);
    if (ttlMillis > 0) {
      said.add("ttl=" + ttlMillis);
    }
    if (pageCapacity > 0) {
      said.add("page-capacity=" + pageCapacity);
    }
    if (consolidate > 0) {
      said.add("consolidate=" + consolidate);
    }
    if (splitOut > 0) {
      said.add("split-out=" + splitOut);
    }
    if (!compression.isEmpty()) {
      said.add("compression=" + compression);
    }
    return said.toString();
  }

  /** A family whose edges stay, with the settings of the store. */
  public EdgeFamily(String name) {
    this(name, 0, 0, 0, 0, "");
  }

  /** This family, with a time to live in milliseconds; 0 for none. */
  public EdgeFamily withTtl(long millis) {
    return new EdgeFamily(name, millis, pageCapacity, consolidate, splitOut, compression);
  }

  /** This family, with leaves of so many bytes; 0 for the setting of the store. */
  public EdgeFamily withPageCapacity(int bytes) {
    return new EdgeFamily(name, ttlMillis, bytes, consolidate, splitOut, compression);
  }

  /** This family, with deltas of so many entries; 0 for the setting of the store. */
  public EdgeFamily withConsolidate(int entries) {
    return new EdgeFamily(name, ttlMillis, pageCapacity, entries, splitOut, compression);
  }

  /** This family, with images compressed in this way; empty for the settings of the store. */
  public EdgeFamily withCompression(String text) {
    return new EdgeFamily(name, ttlMillis, pageCapacity, consolidate, splitOut, text);
  }

  /** This family, with trees for vertices with more entries than these; 0 for no such trees. */
  public EdgeFamily withSplitOut(int entries) {
    return new EdgeFamily(name, ttlMillis, pageCapacity, consolidate, entries, compression);
  }

  private static void require(boolean allowed, String family, String given, String range) {
    if (!allowed) {
      throw new IllegalArgumentException(
          "invalid setting of a family: family=" + family + ", " + given + ", allowed=" + range);
    }
  }
}
