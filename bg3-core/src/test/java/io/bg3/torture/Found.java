package io.bg3.torture;

import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.torture.Model.Place;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that a store holds, by client. */
public final class Found {
  private final List<Map<Place, byte[]>> byClient = new ArrayList<>();

  private Found(int clients) {
    for (int i = 0; i < clients; i++) {
      byClient.add(new TreeMap<>());
    }
  }

  /**
   * Reads a store from one end to the other, in one transaction, and each key once more by itself.
   */
  public static Found in(TransactionManager transactions, int clients) {
    Found found = new Found(clients);
    try (Transaction transaction = transactions.begin(Isolation.STRICT, true)) {
      for (int tree : ModelClient.TREES) {
        found.scan(transaction, tree);
      }
      found.edges(transaction, EdgeKey.OUT);
      found.edges(transaction, EdgeKey.IN);
      found.edges(transaction, EdgeKey.INDEX);
      found.edges(transaction, EdgeKey.COUNTER);
      for (int client = 0; client < clients; client++) {
        long total = transaction.total(client);
        if (total != 0) {
          byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(total).array();
          found.byClient.get(client).put(ModelClient.total(client), value);
        }
      }
      transaction.commit();
    }
    return found;
  }

  Map<Place, byte[]> of(int client) {
    return byClient.get(client);
  }

  private void scan(Transaction transaction, int tree) {
    int forward = 0;
    try (ByteCursor cursor = transaction.scan(tree, null, null, ScanOrder.FORWARD)) {
      while (cursor.next()) {
        forward++;
        byte[] key = cursor.key();
        byte[] value = cursor.value();
        if (!Arrays.equals(value, transaction.get(tree, key))) {
          throw new AssertionError("a scan and a look-up differ: " + Place.of(tree, key));
        }
        byClient.get(ModelClient.clientOf(tree, key)).put(Place.of(tree, key), value);
      }
    }
    int backward = 0;
    try (ByteCursor cursor = transaction.scan(tree, null, null, ScanOrder.BACKWARD)) {
      while (cursor.next()) {
        backward++;
      }
    }
    if (forward != backward) {
      throw new AssertionError(
          "scans differ: tree=" + tree + ", forward=" + forward + ", backward=" + backward);
    }
  }

  private void edges(Transaction transaction, int tag) {
    try (EdgeCursor cursor = transaction.allEdges(tag, true)) {
      while (cursor.next()) {
        if (DegreeKey.isOne(cursor.tagLabel())) {
          continue; // the engine's own
        }
        byte[] key =
            tag == EdgeKey.INDEX
                ? EdgeKey.encode(
                    cursor.owner(),
                    cursor.tagLabel(),
                    cursor.sortKey(),
                    cursor.other(),
                    cursor.sequence())
                : EdgeKey.encode(
                    cursor.owner(), cursor.tagLabel(), cursor.other(), cursor.sequence());
        byClient.get(ModelClient.clientOf(0, key)).put(Place.of(0, key), cursor.value());
      }
    }
  }
}
