package io.bg3.torture;

import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.history.Load;
import io.bg3.history.Outcome;
import io.bg3.history.TestedStore;
import io.bg3.storage.memory.MemoryExceededException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of a load in the trees of the engine.
 *
 * <pre>
 *   lists          byte keys of which each has a stripe: a range over them takes the gate
 *   groups         byte keys that begin with their owner: a range over a group is one stripe
 *   sets, even     edges to as many neighbours as there are members
 *   sets, odd      parallel edges between one pair, with reserved sequences
 *   counts, even   totals
 *   counts, odd    counters, each of a vertex of its own
 * </pre>
 */
public final class EngineStore implements TestedStore {
  private static final int LISTS_TREE = TreeIds.EXTERNAL_IDS;
  private static final int GROUPS_TREE = TreeIds.PROPERTIES;
  private static final int MEMBER = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final int PARALLEL = EdgeKey.tagLabel(EdgeKey.OUT, 2);
  private static final int COUNTED = 3;
  private static final long OTHER_END = 7;

  /** Ranges of sets wider than this, and all if asked, are scans over every edge there is. */
  private static final int MOST_OWNERS = 64;

  private final TransactionManager transactions;
  private final Isolation isolation;
  private final boolean fullScans;

  /**
   * @param fullScans whether every range of sets scans all edges
   */
  public EngineStore(TransactionManager transactions, Isolation isolation, boolean fullScans) {
    this.transactions = transactions;
    this.isolation = isolation;
    this.fullScans = fullScans;
  }

  @Override
  public Transaction begin(boolean readOnly) {
    return over(transactions.begin(isolation, readOnly));
  }

  /** A transaction of the engine that the caller has begun and will end. */
  public Transaction over(io.bg3.core.transaction.Transaction inner) {
    return new EngineTransaction(inner);
  }

  /** The vertex that the list of a bounded group, or a set, belongs to. */
  public static long ownerOf(long key) {
    return key < Load.SETS ? key / Load.SLOTS ^ Long.MIN_VALUE : key;
  }

  private final class EngineTransaction implements Transaction {
    private final io.bg3.core.transaction.Transaction inner;

    EngineTransaction(io.bg3.core.transaction.Transaction inner) {
      this.inner = inner;
    }

    @Override
    public int[] list(long key) {
      return ints(inner.get(tree(key), key(key)));
    }

    @Override
    public void append(long key, int value) {
      int[] list = list(key);
      int[] longer = Arrays.copyOf(list, list.length + 1);
      longer[list.length] = value;
      inner.put(tree(key), key(key), bytes(longer));
    }

    @Override
    public Rows lists(long low, long high) {
      List<Long> keys = new ArrayList<>();
      List<int[]> lists = new ArrayList<>();
      if (low < Load.GROUPS) {
        scan(LISTS_TREE, low, Math.min(high, Load.GROUPS), keys, lists);
      }
      if (high > Load.GROUPS) {
        scan(GROUPS_TREE, Math.max(low, Load.GROUPS), high, keys, lists);
      }
      return rows(keys, lists);
    }

    private void scan(int tree, long low, long high, List<Long> keys, List<int[]> lists) {
      boolean forward = (low & 1) == 0;
      ScanOrder order = forward ? ScanOrder.FORWARD : ScanOrder.BACKWARD;
      byte[] from = tree == GROUPS_TREE ? groupKey(low) : listKey(low);
      byte[] to = tree == GROUPS_TREE ? groupKey(high) : listKey(high);
      int at = keys.size();
      try (ByteCursor cursor = inner.scan(tree, from, to, order)) {
        while (cursor.next()) {
          int where = forward ? keys.size() : at;
          keys.add(where, number(tree, cursor.key()));
          lists.add(where, ints(cursor.value()));
        }
      }
    }

    @Override
    public int[] set(long key) {
      List<Integer> members = new ArrayList<>();
      int tagLabel = isParallel(key) ? PARALLEL : MEMBER;
      ScanOrder order = key % 4 < 2 ? ScanOrder.FORWARD : ScanOrder.BACKWARD;
      try (EdgeCursor cursor = inner.edges(key, tagLabel, tagLabel, isParallel(key), order)) {
        while (cursor.next()) {
          members.add(member(cursor));
        }
      }
      return members.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public void add(long key, int value) {
      if (isParallel(key)) {
        int sequence = inner.reserveSequence(key, PARALLEL, OTHER_END);
        inner.putEdge(key, PARALLEL, OTHER_END, sequence, bytes(value));
      } else {
        inner.putEdge(key, MEMBER, value, 0, new byte[0]);
      }
    }

    @Override
    public Rows sets(long low, long high) {
      return fullScans || high - low > MOST_OWNERS ? allSets(low, high) : eachSet(low, high);
    }

    private Rows eachSet(long low, long high) {
      List<Long> keys = new ArrayList<>();
      List<int[]> sets = new ArrayList<>();
      for (long key = low; key < high; key++) {
        int[] members = set(key);
        if (members.length > 0) {
          keys.add(key);
          sets.add(members);
        }
      }
      return rows(keys, sets);
    }

    private Rows allSets(long low, long high) {
      List<Long> keys = new ArrayList<>();
      List<int[]> sets = new ArrayList<>();
      try (EdgeCursor cursor = inner.allEdges(EdgeKey.OUT, true)) {
        while (cursor.next()) {
          long owner = cursor.owner();
          if (owner < low || owner >= high) {
            continue;
          }
          int last = keys.size() - 1;
          if (last < 0 || keys.get(last) != owner) {
            keys.add(owner);
            sets.add(new int[] {member(cursor)});
          } else {
            int[] more = Arrays.copyOf(sets.get(last), sets.get(last).length + 1);
            more[more.length - 1] = member(cursor);
            sets.set(last, more);
          }
        }
      }
      return rows(keys, sets);
    }

    @Override
    public int count(long key) {
      return Math.toIntExact(
          isTotal(key) ? inner.total((int) (key - Load.COUNTS)) : inner.count(key, COUNTED));
    }

    @Override
    public void increment(long key) {
      if (isTotal(key)) {
        inner.addTotal((int) (key - Load.COUNTS), 1);
      } else {
        inner.addCount(key, COUNTED, 1);
      }
    }

    @Override
    public Outcome commit() {
      try {
        inner.commit();
        return Outcome.COMMITTED;
      } catch (ConflictException | StoreFailedException e) {
        return Outcome.ABORTED;
      } catch (MemoryExceededException e) {
        inner.rollback();
        return Outcome.ABORTED;
      } catch (OutcomeUnknownException e) {
        return Outcome.UNKNOWN;
      }
    }

    @Override
    public void rollback() {
      inner.rollback();
    }
  }

  private static boolean isTotal(long key) {
    return (key & 1) == 0;
  }

  private static boolean isParallel(long key) {
    return (key & 1) != 0;
  }

  private static int member(EdgeCursor cursor) {
    return isParallel(cursor.owner())
        ? ByteBuffer.wrap(cursor.value()).getInt()
        : (int) cursor.other();
  }

  private static int tree(long key) {
    return key < Load.GROUPS ? LISTS_TREE : GROUPS_TREE;
  }

  private static byte[] key(long key) {
    return key < Load.GROUPS ? listKey(key) : groupKey(key);
  }

  private static byte[] listKey(long key) {
    return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
  }

  /** Owner and slot; a bound that is a multiple of the slots is the next owner's first key. */
  private static byte[] groupKey(long key) {
    long owner = key / Load.SLOTS;
    return ByteBuffer.allocate(Long.BYTES + 1)
        .putLong(owner)
        .put((byte) (key % Load.SLOTS))
        .array();
  }

  private static long number(int tree, byte[] key) {
    ByteBuffer from = ByteBuffer.wrap(key);
    return tree == LISTS_TREE ? from.getLong() : from.getLong() * Load.SLOTS + from.get();
  }

  private static Rows rows(List<Long> keys, List<int[]> values) {
    long[] all = keys.stream().mapToLong(Long::longValue).toArray();
    return new Rows(all, values.toArray(int[][]::new));
  }

  private static int[] ints(byte[] value) {
    int[] list = new int[value == null ? 0 : value.length / Integer.BYTES];
    for (int i = 0; i < list.length; i++) {
      list[i] = ByteBuffer.wrap(value).getInt(i * Integer.BYTES);
    }
    return list;
  }

  private static byte[] bytes(int... values) {
    ByteBuffer to = ByteBuffer.allocate(values.length * Integer.BYTES);
    for (int value : values) {
      to.putInt(value);
    }
    return to.array();
  }
}
