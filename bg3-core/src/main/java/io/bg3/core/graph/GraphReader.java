package io.bg3.core.graph;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.OrderedEntry;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.VertexView;
import io.bg3.core.transaction.NewestReader;
import io.bg3.storage.format.CorruptionException;
import java.util.function.Consumer;

/**
 * Small questions of one thread, each answered from the newest snapshot: what a read-only
 * transaction for each of them would answer, at a fraction of its cost. Links are asked for as in
 * {@link Links}.
 *
 * <p>Methods throw IllegalArgumentException for a label that is not ordered, and
 * IllegalStateException if the store is closed. Belongs to one thread; what it returns holds until
 * its next question.
 */
public final class GraphReader {
  private final GraphStore store;
  private final NewestReader reader;
  private final VertexView vertex = new VertexView();
  private final Link link = new Link();
  private int skip;
  private int left;

  GraphReader(GraphStore store, NewestReader reader) {
    this.store = store;
    this.reader = reader;
  }

  /** Labels and properties of a vertex, null if it does not exist. */
  public VertexView vertex(long id) {
    byte[] key = GraphKeys.vertex(id);
    return reader.ask(
        () -> {
          byte[] record = reader.get(TreeIds.VERTICES, key);
          return record == null ? null : vertex.on(record, number -> large(id, number));
        });
  }

  private byte[] large(long id, int number) {
    byte[] value = reader.get(TreeIds.PROPERTIES, GraphKeys.property(id, number, 0));
    if (value == null) {
      throw new MissingElementException("vertex property", new PropertyId(id, number));
    }
    return value;
  }

  /** The link, visible or hidden; null if there is none. */
  public Link link(EdgeLabel label, long source, long target) {
    Links.requireOrdered(label);
    if (!label.isOrdered()) {
      return linkOfAdded(label, source, target);
    }
    return reader.ask(
        () -> {
          OrderedEntry entry =
              OrderedEntry.decode(reader.edgeValue(source, EdgeTags.out(label.code()), target, 0));
          if (entry == null) {
            return null;
          }
          long sortKey = entry.sortKey();
          byte[] record =
              entry.isHidden()
                  ? entry.record()
                  : reader.edgeValue(
                      source, EdgeTags.index(label.code()), label.sorted(sortKey), target, 0);
          if (record == null) {
            throw OrderedEdges.withoutRecord(new EdgeId(source, label.code(), target, 0), sortKey);
          }
          return link.set(source, target, sortKey, !entry.isHidden(), record);
        });
  }

  /** The link with a label that became ordered when it had edges, null if there is none. */
  private Link linkOfAdded(EdgeLabel label, long source, long target) {
    return reader.ask(
        () -> {
          byte[] out = reader.edgeValue(source, EdgeTags.out(label.code()), target, 0);
          if (out == null) {
            return null;
          }
          EdgeRecord record = EdgeRecord.decode(out);
          Long sortKey = OrderEntries.sortKey(record, label.added());
          EdgeId edge = new EdgeId(source, label.code(), target, 0);
          if (sortKey == null) {
            throw new CorruptionException("edge " + edge, 0, "a sort key", "none");
          }
          record.remove(label.sortKeyCode());
          return link.set(source, target, sortKey, true, record.encode());
        });
  }

  /**
   * Shows the visible links of a source, or some of them, in the label's order. As many are read as
   * are asked for and skipped, and a page more, however many there are.
   *
   * @param low smallest sort key, included
   * @param high largest sort key, included
   * @param offset how many are skipped
   * @param limit how many come at most
   * @param each is shown one object, which is then used again; must not ask anything
   */
  public void links(
      EdgeLabel label,
      long source,
      long low,
      long high,
      int offset,
      int limit,
      Consumer<Link> each) {
    Links.requireSorted(label, Long.MAX_VALUE);
    Links.requireRange(offset, limit);
    boolean descending = label.isDescending();
    skip = offset;
    left = low > high ? 0 : limit;
    reader.sortedEdges(
        source,
        EdgeTags.index(label.code()),
        label.sorted(descending ? high : low),
        label.sorted(descending ? low : high),
        left == 0 ? 0 : (long) offset + limit,
        entries -> show(label, entries, each));
  }

  private void show(EdgeLabel label, EdgeEntries entries, Consumer<Link> each) {
    int count = entries.count();
    int from = Math.min(skip, count);
    skip -= from;
    int to = (int) Math.min(count, (long) from + left);
    left -= to - from;
    byte[] values = entries.valueArray();
    for (int i = from; i < to; i++) {
      link.set(
          entries.owner(i),
          entries.other(i),
          label.sorted(entries.sortKey(i)),
          values,
          entries.valueStart(i),
          entries.valueLength(i));
      each.accept(link);
    }
  }

  /** The number of visible links of a source; throws as {@link Links#count}. */
  public long count(EdgeLabel label, long source) {
    Links.requireCounted(label);
    if (label.isBuilding()) {
      try (GraphTransaction scanning = store.beginReadOnly()) {
        return scanning.links().count(label, source);
      }
    }
    return reader.ask(() -> reader.count(source, label.code()));
  }
}
