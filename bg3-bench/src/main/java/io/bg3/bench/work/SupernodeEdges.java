package io.bg3.bench.work;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.store.OrderedLists;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The edges of one vertex with very many, each a function of its time, and what is known of those
 * that are in the store. Times are counted from 1.
 *
 * <p>Threads: any may ask and put; {@link #left} is called while nobody puts.
 */
final class SupernodeEdges {
  /** The label of the edges. */
  static final int LABEL = 10;

  /** Edges that are asked for as the newest. */
  static final int NEWEST = 10;

  private static final long MASK = (1L << 40) - 1;
  private static final long FACTOR = 0x9E3779B97L; // odd, so times and other ends are one to one

  private final long owner;
  private final AtomicLong last = new AtomicLong();
  private final AtomicLong count = new AtomicLong();
  private final TreeSet<Long> newest = new TreeSet<>();

  /**
   * The edges of the vertex behind all of a graph.
   *
   * @param sources vertices of the graph
   */
  SupernodeEdges(int sources) {
    this.owner = PowerLawGraph.id(sources);
  }

  long owner() {
    return owner;
  }

  /** The other end of the edge of a time. */
  static long other(long time) {
    return (time * FACTOR & MASK) + 1;
  }

  /** The checksum of the value of the edge of a time. */
  long checksum(long time) {
    byte[] value = new byte[EdgeValue.LONGEST];
    return EdgeValue.checksum(value, EdgeValue.fill(owner, other(time), 0, value));
  }

  /** Puts the next edge without a commit, and returns its time. */
  long put(OrderedLists lists, byte[] value) {
    long time = last.incrementAndGet();
    int length = EdgeValue.fill(owner, other(time), 0, value);
    lists.put(owner, time, other(time), value, length);
    count.incrementAndGet();
    return time;
  }

  /** Deletes the edge of a time, and commits. */
  void delete(OrderedLists lists, long time) {
    lists.delete(owner, time, other(time));
    lists.commit();
    count.decrementAndGet();
  }

  /** Says that the edge of a time has been put to stay. */
  void left(long time) {
    newest.add(time);
    if (newest.size() > NEWEST) {
      newest.pollFirst();
    }
  }

  /** The number of edges in the store. */
  long count() {
    return count.get();
  }

  /**
   * Asks for the newest edges.
   *
   * @return the sum of their other ends
   * @throws IllegalStateException if others are found than were left
   */
  long askNewest(OrderedLists lists, long[] found) {
    lists.renew();
    int number = lists.newest(owner, NEWEST, found);
    int i = 0;
    long sum = 0;
    for (long time : newest.descendingSet()) {
      if (i >= number || found[i] != other(time)) {
        throw new IllegalStateException("not the newest edges: place=" + i + ", found=" + number);
      }
      sum += found[i++];
    }
    return sum;
  }

  /**
   * Asks how many edges there are.
   *
   * @throws IllegalStateException if it is another number than are in the store
   */
  long askCount(OrderedLists lists) {
    lists.renew();
    long found = lists.count(owner);
    if (found != count()) {
      throw new IllegalStateException("not so many edges: count=" + count() + ", found=" + found);
    }
    return found;
  }
}
