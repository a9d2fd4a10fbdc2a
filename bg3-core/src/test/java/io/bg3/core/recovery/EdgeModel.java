package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.Neighbours;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The edges that a store must have, in a sorted map, and all ways to read them. */
final class EdgeModel {
  static final int TAG_LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 1);

  /** A label of family 1 whose edges stay. */
  static final int OF_FAMILY = EdgeKey.tagLabel(EdgeKey.OUT, EdgeKey.lastingLabel(1, 2));

  private static final long LAST_OWNER = 64;

  private final TreeMap<byte[], byte[]> edges = new TreeMap<>(Arrays::compareUnsigned);
  private final int[] labels;
  private long degrees;

  EdgeModel() {
    this(TAG_LABEL);
  }

  /** With these tags and labels, of which the other end of an edge chooses; ascending. */
  EdgeModel(int... labels) {
    this.labels = labels.clone();
  }

  private int label(long other) {
    return labels[(int) (other % labels.length)];
  }

  void put(Transaction transaction, long owner, long other, byte[] value) {
    transaction.putEdge(owner, label(other), other, 0, value);
    edges.put(EdgeKey.encode(owner, label(other), other, 0), value);
  }

  void remove(Transaction transaction, long owner, long other) {
    transaction.deleteEdge(owner, label(other), other, 0);
    edges.remove(EdgeKey.encode(owner, label(other), other, 0));
  }

  /** Removes all edges of an owner. */
  void removeAll(Transaction transaction, long owner) {
    byte[] low = EdgeKey.prefix(owner);
    List<byte[]> keys = List.copyOf(edges.subMap(low, EdgeKey.after(low)).keySet());
    keys.forEach(key -> remove(transaction, owner, EdgeKey.other(key)));
  }

  /** Whether an owner has an edge. */
  boolean has(long owner) {
    byte[] low = EdgeKey.prefix(owner);
    return !edges.subMap(low, EdgeKey.after(low)).isEmpty();
  }

  /** Whether an owner has an edge of a family, or of none. */
  boolean has(FamilyOwner owner) {
    return entries(EdgeKey.prefix(owner.owner())).stream()
        .anyMatch(edge -> EdgeKey.family(EdgeKey.tagLabel(edge.getKey())) == owner.family());
  }

  /** How many degrees that were kept have been compared. */
  long degrees() {
    return degrees;
  }

  EdgeModel copy() {
    EdgeModel copy = new EdgeModel(labels);
    copy.edges.putAll(edges);
    return copy;
  }

  /** Reads everything in every way. */
  void compare(Transaction transaction, String at) {
    compare(new ArrayList<>(edges.entrySet()), transaction.allEdges(EdgeKey.OUT, true), at);
    for (int label : labels) {
      compare(transaction, label, at);
    }
    int last = labels[labels.length - 1];
    for (long owner = 0; owner < LAST_OWNER && labels.length > 1; owner++) {
      List<Map.Entry<byte[], byte[]>> own = entries(EdgeKey.prefix(owner));
      compare(own, transaction.edges(owner, labels[0], last, true, ScanOrder.FORWARD), at);
      Collections.reverse(own);
      compare(own, transaction.edges(owner, labels[0], last, true, ScanOrder.BACKWARD), at);
    }
  }

  private List<Map.Entry<byte[], byte[]>> entries(byte[] low) {
    return new ArrayList<>(edges.subMap(low, EdgeKey.after(low)).entrySet());
  }

  private void compare(Transaction transaction, int label, String at) {
    long[] owners = new long[(int) LAST_OWNER];
    Neighbours neighbours = new Neighbours();
    Arrays.setAll(owners, i -> i);
    transaction.neighbours(owners, 0, owners.length, label, Integer.MAX_VALUE, neighbours);
    for (long owner = 0; owner < LAST_OWNER; owner++) {
      List<Map.Entry<byte[], byte[]>> own = entries(EdgeKey.prefix(owner, label));
      compare(own, transaction.edges(owner, label, label, true, ScanOrder.FORWARD), at);
      int first = neighbours.start((int) owner);
      assertEquals(own.size(), neighbours.end((int) owner) - first, at);
      for (int i = 0; i < own.size(); i++) {
        byte[] key = own.get(i).getKey();
        assertEquals(EdgeKey.other(key), neighbours.other(first + i), at);
        byte[] value = transaction.edgeValue(owner, label, EdgeKey.other(key), 0);
        assertArrayEquals(own.get(i).getValue(), value, at);
      }
      long degree = transaction.degree(owner, label, label);
      if (degree >= 0) {
        degrees++;
        assertEquals(own.size(), degree, at + ": degree of " + owner);
        int all = entries(EdgeKey.prefix(owner)).size();
        assertEquals(all, transaction.degree(owner, 0, EdgeKey.MAX_LABEL), at);
      }
      Collections.reverse(own);
      compare(own, transaction.edges(owner, label, label, true, ScanOrder.BACKWARD), at);
    }
  }

  private static void compare(
      List<Map.Entry<byte[], byte[]>> expected, EdgeCursor actual, String at) {
    try (EdgeCursor cursor = actual) {
      for (Map.Entry<byte[], byte[]> edge : expected) {
        String which = at + ": " + EdgeKey.toString(edge.getKey());
        assertEquals(true, cursor.next(), which);
        assertEquals(EdgeKey.owner(edge.getKey()), cursor.owner(), which);
        assertEquals(EdgeKey.other(edge.getKey()), cursor.other(), which);
        assertArrayEquals(edge.getValue(), cursor.value(), which);
      }
      assertEquals(false, cursor.next(), at);
    }
  }
}
