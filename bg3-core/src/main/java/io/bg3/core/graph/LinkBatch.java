package io.bg3.core.graph;

import io.bg3.core.record.PropertyBytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Links to be written together, in one commit. Can be used again after {@link #clear}. They cost
 * least in the order of source, label and target, and many at once.
 *
 * <p>Belongs to one thread.
 */
public final class LinkBatch {
  /** A link that is to be written. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(
      EdgeLabel label, long source, long target, long sortKey, boolean visible, byte[] record) {
    /** The order of the out-entries: labels have only positive codes. */
    static final Comparator<Entry> IN_ORDER = Entry::compareKeys;

    private static int compareKeys(Entry a, Entry b) {
      int order = Long.compare(a.source, b.source);
      order = order == 0 ? Integer.compare(a.label.code(), b.label.code()) : order;
      return order == 0 ? Long.compare(a.target, b.target) : order;
    }
  }

  private final List<Entry> links = new ArrayList<>();

  /** Whether each was added behind the one before in the order of their keys. */
  private boolean ascending = true;

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
    if (!label.takesLinks() || properties.has(label.sortKeyCode())) {
      throw new IllegalArgumentException(
          "the label must have a sort key, which is passed separately and not as a property;"
              + " declare it by bg3.links.declare or bg3.schema.define: label="
              + label.name());
    }
    Entry link = new Entry(label, source, target, sortKey, visible, properties.record());
    ascending &= links.isEmpty() || Entry.compareKeys(links.get(links.size() - 1), link) < 0;
    links.add(link);
  }

  /** The number of links that were added. */
  public int count() {
    return links.size();
  }

  /** Forgets all links. */
  public void clear() {
    links.clear();
    ascending = true;
  }

  /** The links in the order of their keys, of those with one key the one that was added last. */
  List<Entry> inOrder() {
    if (ascending) {
      return links;
    }
    List<Entry> sorted = new ArrayList<>(links);
    sorted.sort(Entry.IN_ORDER); // leaves those with one key as they were added
    int kept = 0;
    for (int i = 0; i < sorted.size(); i++) {
      if (i + 1 == sorted.size() || Entry.compareKeys(sorted.get(i), sorted.get(i + 1)) != 0) {
        sorted.set(kept++, sorted.get(i));
      }
    }
    return sorted.subList(0, kept);
  }

  /** The vertices to which the links belong, some of them more than once. */
  long[] owners() {
    long[] owners = new long[2 * links.size()];
    int count = 0;
    for (Entry link : links) {
      if (count == 0 || owners[count - 1] != link.source) {
        owners[count++] = link.source;
      }
      if (!link.label.isLoose()) {
        owners[count++] = link.target;
      }
    }
    return LongStream.of(owners).limit(count).sorted().distinct().toArray();
  }
}
