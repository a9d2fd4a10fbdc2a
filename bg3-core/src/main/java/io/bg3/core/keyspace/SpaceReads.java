package io.bg3.core.keyspace;

import io.bg3.core.entry.EdgeKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The read set of a transaction in one key space. Ranges are joined where they overlap, or touch
 * within one stripe, now and then while they are added and once more before the commit; when very
 * many stay apart, neighbours are joined over what lies between, which can only cause a conflict
 * that need not have been. Belongs to one thread.
 */
public final class SpaceReads {
  /** Ranges above this number are joined over their gaps. */
  static final int MOST_RANGES = 1 << 16;

  private static final int FIRST_JOIN = 64;

  /** {@code low <= key < high}; null is open. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Range(byte[] low, byte[] high) {
    static final Comparator<Range> BY_LOW =
        (a, b) -> {
          if (a.low == null || b.low == null) {
            return Boolean.compare(a.low != null, b.low != null);
          }
          return Arrays.compareUnsigned(a.low, b.low);
        };

    /** Whether they overlap, or touch and joining them leaves the stripe of neither. */
    boolean reaches(int space, Range next) {
      if (high == null || next.low == null) {
        return true;
      }
      int order = Arrays.compareUnsigned(high, next.low);
      return order > 0 || (order == 0 && KeySpace.isOneStripe(space, low, next.high));
    }
  }

  /** That a key existed, or did not. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Existence(byte[] key, boolean existed) {}

  /** Owners of whose edge entries those from one tag and label to another were read. */
  private record OwnersRead(int low, int high, KeysRead owners) {
    Range range(byte[] owner) {
      long number = EdgeKey.owner(owner);
      return new Range(EdgeKey.prefix(number, low), EdgeKey.after(EdgeKey.prefix(number, high)));
    }
  }

  /** The space whose keys were read. */
  public final int space;

  private final List<Existence> existences = new ArrayList<>(4);

  /** Keys of 8 bytes that existed; those that were seen since are not in the list yet. */
  private final KeysRead existed = new KeysRead();

  /** How many of {@link #existed} stand in the list. */
  private int listed;

  private List<Range> ranges = new ArrayList<>(4);

  /** Keys that were read, as {@link #addKey} notes them. */
  private final KeysRead keys = new KeysRead();

  /** By tags and labels, the owners whose edge entries were read. */
  private final List<OwnersRead> owners = new ArrayList<>(0);

  /** How many owners stand in all of these. */
  private int ownersRead;

  private int joinAt = FIRST_JOIN;
  private boolean joined = true;

  /** Nothing read yet. */
  public SpaceReads(int space) {
    this.space = space;
  }

  /**
   * Notes that one key was read. A key of 8 bytes costs no object, and nothing more when it is read
   * again: so are the records of vertices noted, of which a query may read thousands.
   */
  public void addKey(byte[] key) {
    if (key.length != Long.BYTES) {
      addRange(key, KeySpace.successor(key));
    } else if (keys.add(key) && keys.count() == MOST_RANGES) {
      takeKeys();
      join();
    }
  }

  /**
   * Notes that the edge entries of an owner were read whose tag and label, as unsigned numbers, lie
   * from {@code low} to {@code high}. An owner costs no object, and nothing more when it is read
   * again: a query may read the edges of thousands. The space must be that of the edges.
   */
  public void addOwner(long owner, int low, int high) {
    assert space == KeySpace.EDGES : space;
    KeysRead read = owners(low, high);
    if (read.add(owner ^ Long.MIN_VALUE) && ++ownersRead == MOST_RANGES) {
      takeKeys();
      join();
    }
  }

  /** Notes so of the owners in an array from index {@code from} up to {@code to}. */
  public void addOwners(long[] read, int from, int to, int low, int high) {
    owners(low, high).expect(to - from);
    for (int i = from; i < to; i++) {
      addOwner(read[i], low, high);
    }
  }

  private KeysRead owners(int low, int high) {
    for (int i = 0; i < owners.size(); i++) {
      OwnersRead each = owners.get(i);
      if (each.low == low && each.high == high) {
        return each.owners;
      }
    }
    KeysRead none = new KeysRead();
    owners.add(new OwnersRead(low, high, none));
    return none;
  }

  /** Makes ranges of the keys and of the owners. */
  private void takeKeys() {
    if (keys.count() > 0 || !owners.isEmpty()) {
      keys.each(key -> ranges.add(new Range(key, KeySpace.successor(key))));
      keys.clear();
      for (OwnersRead each : owners) {
        each.owners.each(owner -> ranges.add(each.range(owner)));
      }
      owners.clear();
      ownersRead = 0;
      joined = ranges.size() == 1;
    }
  }

  /** Notes that {@code low <= key < high} was read; null stands for an open end. */
  public void addRange(byte[] low, byte[] high) {
    ranges.add(new Range(low, high));
    joined = ranges.size() == 1;
    if (ranges.size() >= joinAt) {
      join();
    }
  }

  /**
   * Notes that the caller has asked whether a key exists, and the answer. A key of 8 bytes that
   * exists costs no object, and nothing more when it is asked for again: so are the ends of edges
   * noted that are added.
   */
  public void addExistence(byte[] key, boolean exists) {
    if (exists && key.length == Long.BYTES) {
      existed.add(key);
    } else {
      existences.add(new Existence(key, exists));
    }
    if (existences.size() + existed.count() - listed > MOST_RANGES) {
      existences().forEach(e -> ranges.add(new Range(e.key, KeySpace.successor(e.key))));
      existences.clear();
      existed.clear();
      listed = 0;
      join();
    }
  }

  /** Whether it is noted that a key of 8 bytes exists; a longer one is not looked for. */
  public boolean knowsExistence(byte[] key) {
    return key.length == Long.BYTES && existed.contains(key);
  }

  /** The ranges, ascending, none overlapping another. */
  public List<Range> ranges() {
    takeKeys();
    if (!joined) {
      join();
    }
    return ranges;
  }

  /** The keys whose existence was asked for; those of 8 bytes that exist ascend. */
  public List<Existence> existences() {
    if (listed < existed.count()) {
      existences.removeIf(e -> e.existed && e.key.length == Long.BYTES);
      existed.each(key -> existences.add(new Existence(key, true)));
      listed = existed.count();
    }
    return existences;
  }

  private void join() {
    ranges.sort(Range.BY_LOW);
    ranges = joined(space, ranges, false);
    while (ranges.size() > MOST_RANGES) {
      ranges = joined(space, ranges, true);
    }
    joined = true;
    joinAt = Math.max(FIRST_JOIN, 2 * ranges.size());
  }

  /**
   * @param overGaps whether every second range is joined to the one before in any case
   */
  private static List<Range> joined(int space, List<Range> sorted, boolean overGaps) {
    List<Range> result = new ArrayList<>();
    Range last = null;
    for (int i = 0; i < sorted.size(); i++) {
      Range range = sorted.get(i);
      if (last == null) {
        last = range;
      } else if (last.reaches(space, range) || (overGaps && (i & 1) == 1)) {
        last = new Range(last.low, KeySpace.higher(last.high, range.high));
      } else {
        result.add(last);
        last = range;
      }
    }
    if (last != null) {
      result.add(last);
    }
    return result;
  }
}
