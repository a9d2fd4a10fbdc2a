package io.bg3.core.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Links to be written together, in one commit. Can be used again after {@link #clear}.
 *
 * <p>Belongs to one thread.
 */
public final class LinkBatch {
  /** A link that is to be written. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(
      EdgeLabel label, long source, long target, long sortKey, boolean visible, byte[] record) {}

  private final List<Entry> links = new ArrayList<>();

  /** No links. */
  public LinkBatch() {}

  /**
   * Adds a link; of two from one source to one target with one label the later one counts.
   *
   * @param properties without the one that the sort key is; copied
   * @throws IllegalArgumentException if the label is not ordered
   */
  public void add(
      EdgeLabel label,
      long source,
      long target,
      long sortKey,
      boolean visible,
      PropertyBytes properties) {
    if (!label.isOrdered() || properties.has(label.sortKeyCode())) {
      throw new IllegalArgumentException(
          "the label must have a sort key, which is given apart from the properties: label="
              + label);
    }
    links.add(new Entry(label, source, target, sortKey, visible, properties.record()));
  }

  /** How many links were added. */
  public int count() {
    return links.size();
  }

  /** Forgets all links. */
  public void clear() {
    links.clear();
  }

  List<Entry> links() {
    return links;
  }

  /** The vertices to which the links belong, each once. */
  long[] owners() {
    return links.stream()
        .flatMapToLong(
            link ->
                link.label.isLoose()
                    ? LongStream.of(link.source)
                    : LongStream.of(link.source, link.target))
        .distinct()
        .toArray();
  }
}
