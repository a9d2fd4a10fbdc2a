package io.bg3.server;

import java.util.Map;
import java.util.TreeMap;

/**
 * The memory budget of a server, divided among its graphs by their shares. The budget of an open
 * store does not change, so a graph that is created later gets its part of a reserve.
 *
 * <p>The parts of all graphs together never exceed the budget of the server.
 *
 * <p>Threads: any; immutable.
 */
public final class MemoryShares {
  /** The smallest budget of a store. */
  private static final long LEAST = 8L << 20;

  private final long total;
  private final long unit; // bytes of a share of one
  private final Map<String, Integer> shares;

  private MemoryShares(long total, long unit, Map<String, Integer> shares) {
    this.total = total;
    this.unit = unit;
    this.shares = Map.copyOf(shares);
  }

  /**
   * Divides a budget.
   *
   * @param total bytes of the server's budget
   * @param reservePercent the part for graphs that are created online
   * @param configured the shares of the graphs of the configuration, by name
   * @param online the shares of the graphs that were created online before; they come out of the
   *     reserve, and out of the parts of all where that is too small for them by now
   * @throws IllegalArgumentException if the part of a graph is too small for a store
   */
  public static MemoryShares of(
      long total,
      int reservePercent,
      Map<String, Integer> configured,
      Map<String, Integer> online) {
    long reserve = (total * reservePercent + 99) / 100; // in favour of what is created online
    long inConfiguration = sum(configured);
    long created = sum(online);
    long unit = (total - reserve) / inConfiguration;
    if (created > 0 && unit > reserve / created) {
      unit = total / (inConfiguration + created);
    }
    Map<String, Integer> all = new TreeMap<>(configured);
    all.putAll(online);
    MemoryShares divided = new MemoryShares(total, unit, all);
    all.forEach((graph, share) -> divided.requireEnough(graph, share));
    return divided;
  }

  private static long sum(Map<String, Integer> shares) {
    return shares.values().stream().mapToLong(Integer::longValue).sum();
  }

  private void requireEnough(String graph, int share) {
    if (unit * share < LEAST) {
      throw new IllegalArgumentException(
          "the graph's part of the memory budget is too small for a store: graph="
              + graph
              + ", share="
              + share
              + ", bytes="
              + unit * share
              + ", least="
              + LEAST
              + ", budget of the server="
              + total
              + "; raise bg3.memory.budget (BG3_DIRECT for bin/bg3) or graphs."
              + graph
              + ".share");
    }
  }

  /** Bytes of the budget of a graph. */
  public long bytes(String graph) {
    return unit * shares.get(graph);
  }

  /** Whether a graph has a part. */
  boolean has(String graph) {
    return shares.containsKey(graph);
  }

  /**
   * These parts and that of another graph, out of the reserve.
   *
   * @throws IllegalArgumentException if the reserve has not as much, or the part is too small
   */
  MemoryShares with(String graph, int share) {
    if (share < 1 || unit > free() / share) {
      throw new IllegalArgumentException(
          "the reserve of memory for graphs that are created online has no room for the graph:"
              + " graph="
              + graph
              + ", share="
              + share
              + ", needed="
              + (share < 1 ? "a share of 1 or more" : Math.multiplyExact(unit, (long) share))
              + ", free="
              + free()
              + "; server.graphs.reserve is the reserve in percent, from the next start on");
    }
    Map<String, Integer> more = new TreeMap<>(shares);
    more.put(graph, share);
    MemoryShares divided = new MemoryShares(total, unit, more);
    divided.requireEnough(graph, share);
    return divided;
  }

  /** These parts without that of a graph, which goes back to the reserve. */
  MemoryShares without(String graph) {
    Map<String, Integer> fewer = new TreeMap<>(shares);
    fewer.remove(graph);
    return new MemoryShares(total, unit, fewer);
  }

  /** Bytes that no graph has. */
  long free() {
    return total - unit * sum(shares);
  }
}
