package io.bg3.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The smallest store with snapshots and validation, for the tests of the checker: strictly
 * serialisable as it is, and with one thing broken when asked. Threads: one; its clients are
 * interleaved.
 */
final class ModelStore implements TestedStore {
  /** The fault that is planted. */
  enum Fault {
    NONE,
    /** Keys that were read are not validated. */
    READS_NOT_VALIDATED,
    /** Ranges that were read are validated by the keys they returned. */
    RANGES_BY_KEY,
    /** Keys that are written are not validated, whether they were read or not. */
    WRITES_NOT_VALIDATED,
    /** A new snapshot may be older than what was acknowledged. */
    STALE_SNAPSHOTS,
    /** The second half of a commit becomes visible later than the first. */
    TORN_COMMITS,
    /** Writes that are rolled back are visible before, and now and then stay. */
    ROLLBACK_LEAVES,
    /** Now and then an acknowledged commit is dropped. */
    FORGETS,
    /** Counts are read as they are, not as they were. */
    COUNTS_NOT_VALIDATED
  }

  private record Version(long stamp, int value) {}

  private final TreeMap<Long, List<Version>> lists = new TreeMap<>();
  private final Fault fault;
  private final Random random;
  private long stamp;
  private final List<Runnable> late = new ArrayList<>();

  ModelStore(Fault fault, long seed) {
    this.fault = fault;
    this.random = new Random(seed);
  }

  @Override
  public Transaction begin(boolean readOnly) {
    if (!late.isEmpty() && random.nextInt(3) == 0) {
      late.remove(0).run();
    }
    return new ModelTransaction();
  }

  private final class ModelTransaction implements Transaction {
    private final long snapshot =
        fault == Fault.STALE_SNAPSHOTS && random.nextInt(50) == 0 && stamp > 3 ? stamp - 3 : stamp;
    private final Map<Long, List<Integer>> writes = new TreeMap<>();
    private final Map<Long, Boolean> reads = new HashMap<>();
    private final List<long[]> ranges = new ArrayList<>();

    @Override
    public int[] list(long key) {
      reads.put(key, true);
      return see(key);
    }

    private int[] see(long key) {
      List<Integer> seen = new ArrayList<>();
      for (Version version : lists.getOrDefault(key, List.of())) {
        if (version.stamp <= snapshot) {
          seen.add(version.value);
        }
      }
      seen.addAll(writes.getOrDefault(key, List.of()));
      return seen.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public void append(long key, int value) {
      reads.put(key, true);
      add(key, value);
    }

    @Override
    public void add(long key, int value) {
      writes.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
    }

    @Override
    public Rows lists(long low, long high) {
      List<Long> keys = new ArrayList<>();
      List<int[]> rows = new ArrayList<>();
      TreeMap<Long, Boolean> present = new TreeMap<>();
      lists.subMap(low, high).keySet().forEach(k -> present.put(k, true));
      writes.keySet().stream().filter(k -> k >= low && k < high).forEach(k -> present.put(k, true));
      for (long key : present.keySet()) {
        int[] row = see(key);
        if (row.length > 0) {
          keys.add(key);
          rows.add(row);
          if (fault == Fault.RANGES_BY_KEY) {
            reads.put(key, true);
          }
        }
      }
      if (fault != Fault.RANGES_BY_KEY) {
        ranges.add(new long[] {low, high});
      }
      long[] found = keys.stream().mapToLong(Long::longValue).toArray();
      return new Rows(found, rows.toArray(int[][]::new));
    }

    @Override
    public int[] set(long key) {
      return list(key);
    }

    @Override
    public Rows sets(long low, long high) {
      return lists(low, high);
    }

    @Override
    public int count(long key) {
      if (fault != Fault.COUNTS_NOT_VALIDATED) {
        reads.put(key, true);
      }
      return see(key).length;
    }

    @Override
    public void increment(long key) {
      add(key, 0);
    }

    @Override
    public Outcome commit() {
      if (writes.isEmpty()) {
        return Outcome.COMMITTED;
      }
      if (fault != Fault.READS_NOT_VALIDATED || random.nextInt(5) > 0) {
        for (long key : reads.keySet()) {
          boolean validated = fault != Fault.WRITES_NOT_VALIDATED || !writes.containsKey(key);
          if (validated && changed(key)) {
            return Outcome.ABORTED;
          }
        }
        for (long[] range : ranges) {
          if (lists.subMap(range[0], range[1]).keySet().stream().anyMatch(this::changed)) {
            return Outcome.ABORTED;
          }
        }
      }
      if (fault == Fault.FORGETS && random.nextInt(100) == 0) {
        return Outcome.COMMITTED;
      }
      boolean applied = random.nextInt(40) > 0 || random.nextBoolean();
      if (applied) {
        apply();
      }
      return random.nextInt(40) > 0 && applied ? Outcome.COMMITTED : Outcome.UNKNOWN;
    }

    private void apply() {
      long mine = ++stamp;
      boolean first = true;
      for (Map.Entry<Long, List<Integer>> write : writes.entrySet()) {
        if (fault == Fault.TORN_COMMITS && !first) {
          late.add(() -> put(write.getKey(), write.getValue(), ++stamp));
        } else {
          put(write.getKey(), write.getValue(), mine);
        }
        first = false;
      }
    }

    private void put(long key, List<Integer> values, long at) {
      List<Version> versions = lists.computeIfAbsent(key, k -> new ArrayList<>());
      values.forEach(value -> versions.add(new Version(at, value)));
    }

    private boolean changed(long key) {
      List<Version> versions = lists.getOrDefault(key, List.of());
      return !versions.isEmpty() && versions.get(versions.size() - 1).stamp > snapshot;
    }

    @Override
    public void rollback() {
      if (fault == Fault.ROLLBACK_LEAVES && random.nextInt(4) == 0) {
        apply();
      }
    }
  }
}
