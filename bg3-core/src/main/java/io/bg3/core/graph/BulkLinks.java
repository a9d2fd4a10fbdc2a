package io.bg3.core.graph;

import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.OrderedEntry;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Writes many links in the order of their keys, with loose labels: what {@link OrderedEdges#put}
 * does one after the other, but the links of one source and label look once for those there, are
 * counted once, and reach the transaction's writes in their order. Belongs to one thread.
 */
final class BulkLinks {
  private final Transaction transaction;
  private final OrderedEdges ordered;
  private final EdgeCounts counts;

  /** The changes in the order of the sort keys, of one source. */
  private final List<Change> changes = new ArrayList<>();

  /**
   * The change of an entry in the order.
   *
   * @param sorted the number that stands in the key for the sort key
   * @param record null if it goes
   * @param isNew whether it was not there
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Change(int tagLabel, long sorted, long target, byte[] record, boolean isNew) {
    static final Comparator<Change> IN_ORDER =
        (a, b) -> {
          int order = Integer.compareUnsigned(a.tagLabel, b.tagLabel);
          order = order == 0 ? Long.compare(a.sorted, b.sorted) : order;
          return order == 0 ? Long.compare(a.target, b.target) : order;
        };
  }

  BulkLinks(Transaction transaction, OrderedEdges ordered, EdgeCounts counts) {
    this.transaction = transaction;
    this.ordered = ordered;
    this.counts = counts;
  }

  /**
   * Writes links.
   *
   * @param links in the order of their keys, each once
   */
  void put(List<LinkBatch.Entry> links) {
    int from = 0;
    while (from < links.size()) {
      LinkBatch.Entry first = links.get(from);
      int to = from + 1;
      while (to < links.size()
          && links.get(to).source() == first.source()
          && links.get(to).label() == first.label()) {
        to++;
      }
      putGroup(links.subList(from, to));
      from = to;
      if (from == links.size() || links.get(from).source() != first.source()) {
        putChanges(first.source());
      }
    }
  }

  /** Writes the out-entries of one source and label, and notes what changes in the order. */
  private void putGroup(List<LinkBatch.Entry> links) {
    EdgeLabel label = links.get(0).label();
    long source = links.get(0).source();
    OrderedEntry[] old = old(label, source, links);
    long more = 0;
    for (int i = 0; i < old.length; i++) {
      LinkBatch.Entry link = links.get(i);
      more += put(link, new EdgeId(source, label.code(), link.target(), 0), old[i]);
    }
    if (more != 0) {
      counts.add(source, label.code(), label, more);
    }
  }

  /** Returns by how many the number of visible links grows. */
  private int put(LinkBatch.Entry link, EdgeId edge, OrderedEntry old) {
    if (old == null) {
      return putNew(link, edge);
    }
    EdgeLabel label = link.label();
    boolean named = old.isNamed();
    byte[] record =
        named
            ? EdgeRecord.withIdOf(ordered.record(label, edge, old), link.record())
            : link.record();
    boolean wasVisible = !old.isHidden();
    boolean moves = !wasVisible || old.sortKey() != link.sortKey();
    int index = EdgeTags.index(label.code());
    if (wasVisible && (!link.visible() || moves)) {
      changes.add(new Change(index, label.sorted(old.sortKey()), link.target(), null, false));
    }
    if (link.visible()) {
      changes.add(new Change(index, label.sorted(link.sortKey()), link.target(), record, false));
      if (moves || label.hasTtl()) { // then both entries expire together
        ordered.putOut(edge, OrderedEntry.visible(link.sortKey(), named));
      }
    } else {
      ordered.putOut(edge, OrderedEntry.hidden(link.sortKey(), named, record));
    }
    return (link.visible() ? 1 : 0) - (wasVisible ? 1 : 0);
  }

  /** Writes a link that was not there; returns by how many the number of visible links grows. */
  private int putNew(LinkBatch.Entry link, EdgeId edge) {
    if (!link.visible()) {
      ordered.putNewOut(edge, OrderedEntry.hidden(link.sortKey(), false, link.record()));
      return 0;
    }
    ordered.putNewOut(edge, OrderedEntry.visible(link.sortKey(), false));
    int index = EdgeTags.index(edge.label());
    long sorted = link.label().sorted(link.sortKey());
    changes.add(new Change(index, sorted, link.target(), link.record(), true));
    return 1;
  }

  /**
   * The out-entries that are there of links of one source and label. As a rule there is none
   * between the first target and the last, which one look says; where many are there, each is
   * looked up.
   */
  private OrderedEntry[] old(EdgeLabel label, long source, List<LinkBatch.Entry> links) {
    int count = links.size();
    OrderedEntry[] old = new OrderedEntry[count];
    int next = 0;
    if (count > 1) {
      try (EdgeCursor there =
          transaction.sortedEdges(
              source,
              EdgeTags.out(label.code()),
              links.get(0).target(),
              links.get(count - 1).target(),
              ScanOrder.FORWARD,
              count)) {
        boolean any = there.next();
        for (int seen = 0; any && next < count && seen < 2 * count; seen++) {
          while (next < count && links.get(next).target() < there.other()) {
            next++; // is not there
          }
          if (next < count && links.get(next).target() == there.other() && there.sequence() == 0) {
            old[next++] = OrderedEntry.decode(there.value());
          }
          any = there.next();
        }
        if (!any) {
          return old;
        }
      }
    }
    for (; next < count; next++) {
      old[next] = ordered.entry(new EdgeId(source, label.code(), links.get(next).target(), 0));
    }
    return old;
  }

  private void putChanges(long source) {
    changes.sort(Change.IN_ORDER);
    for (Change change : changes) {
      if (change.record == null) {
        transaction.deleteEdge(source, change.tagLabel, change.sorted, change.target, 0);
      } else if (change.isNew) {
        transaction.putNewEdge(
            source, change.tagLabel, change.sorted, change.target, 0, change.record);
      } else {
        transaction.putEdge(
            source, change.tagLabel, change.sorted, change.target, 0, change.record);
      }
    }
    changes.clear();
  }
}
