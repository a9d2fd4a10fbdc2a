package io.bg3.history;

import io.bg3.history.Anomaly.Kind;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the components of a graph that hold a cycle and names each by its strongest proof: the
 * fewer kinds of edges a cycle needs, the worse the anomaly. A component is reported once.
 */
final class CycleSearch {
  private static final int ITEM_RW = Graph.RW | Graph.RW_RANGE;
  private static final int EVERYTHING_BUT_TIME = Graph.ALL & ~Graph.RT;

  /** How many edges a search for a short cycle starts from. */
  private static final int TRIES = 200;

  private final Graph graph;
  private final Transactions transactions;
  private final Keys keys;
  private final Report report;
  private final boolean[] covered;

  /** Which component of the current pass a node belongs to. */
  private final int[] component;

  private final int[] arrivedBy;
  private final int[] arrivedIn;
  private int searches;

  private CycleSearch(Graph graph, Transactions transactions, Keys keys, Report report) {
    this.graph = graph;
    this.transactions = transactions;
    this.keys = keys;
    this.report = report;
    this.covered = new boolean[graph.nodes()];
    this.component = new int[graph.nodes()];
    this.arrivedBy = new int[graph.nodes()];
    this.arrivedIn = new int[graph.nodes()];
  }

  static void report(Graph graph, Transactions transactions, Keys keys, Report report) {
    if (graph.components(Graph.ALL).isEmpty()) {
      return;
    }
    CycleSearch search = new CycleSearch(graph, transactions, keys, report);
    int ww = Graph.WW | Graph.PASS;
    int wr = ww | Graph.WR;
    search.pass(ww, ww, Kind.G0);
    search.pass(ww | Graph.RT, ww | Graph.RT, Kind.G0_REALTIME);
    search.pass(wr, wr, Kind.G1C);
    search.pass(wr | Graph.RT, wr | Graph.RT, Kind.G1C_REALTIME);
    search.pass(EVERYTHING_BUT_TIME, wr, Kind.G_SINGLE);
    search.pass(EVERYTHING_BUT_TIME, EVERYTHING_BUT_TIME, Kind.G2_ITEM);
    search.pass(Graph.ALL, wr | Graph.RT, Kind.G_SINGLE_REALTIME);
    search.pass(Graph.ALL, Graph.ALL, Kind.G2_ITEM_REALTIME);
  }

  /**
   * Reports the components under {@code types} in which some edge of those types closes a cycle
   * whose other edges are of the types {@code way}.
   */
  private void pass(int types, int way, Kind kind) {
    List<int[]> found = graph.components(types);
    Arrays.fill(component, -1);
    for (int i = 0; i < found.size(); i++) {
      for (int node : found.get(i)) {
        component[node] = i;
      }
    }
    for (int[] nodes : found) {
      if (isCovered(nodes)) {
        continue;
      }
      int[] cycle = shortCycle(nodes, types, way);
      if (cycle != null) {
        Kind name = byRange(cycle) ? named(kind) : kind;
        report.add(name, report.isFull(name) ? "" : describe(cycle));
        for (int node : nodes) {
          covered[node] = true;
        }
      }
    }
  }

  private static Kind named(Kind kind) {
    return switch (kind) {
      case G2_ITEM -> Kind.G2;
      case G2_ITEM_REALTIME -> Kind.G2_REALTIME;
      default -> kind;
    };
  }

  private boolean isCovered(int[] nodes) {
    for (int node : nodes) {
      if (covered[node] && node < transactions.count()) {
        return true;
      }
    }
    return false;
  }

  /** The shortest of a few cycles, as edges; null if there is none. */
  private int[] shortCycle(int[] nodes, int types, int way) {
    int[] best = null;
    int tries = 0;
    for (int node : nodes) {
      for (int i = graph.first(node); i < graph.first(node + 1); i++) {
        int edge = graph.edgeAt(i);
        boolean closes =
            types == way
                ? (graph.type(edge) & types) != 0 && graph.type(edge) != Graph.PASS
                : (graph.type(edge) & ITEM_RW) != 0;
        if (!closes || component[graph.target(edge)] != component[node]) {
          continue;
        }
        int[] back = path(graph.target(edge), node, way);
        if (back != null && (best == null || back.length + 1 < best.length)) {
          best = new int[back.length + 1];
          best[0] = edge;
          System.arraycopy(back, 0, best, 1, back.length);
        }
        if (++tries >= TRIES && best != null) {
          return best;
        }
      }
    }
    return best;
  }

  /**
   * The shortest way from a node to another inside their component, as edges; null if there is
   * none.
   */
  private int[] path(int start, int goal, int types) {
    searches++;
    IntList queue = new IntList();
    queue.add(start);
    arrivedIn[start] = searches;
    arrivedBy[start] = -1;
    for (int head = 0; head < queue.count(); head++) {
      int node = queue.get(head);
      if (node == goal) {
        return back(goal);
      }
      for (int i = graph.first(node); i < graph.first(node + 1); i++) {
        int edge = graph.edgeAt(i);
        int target = graph.target(edge);
        if ((graph.type(edge) & types) != 0
            && component[target] == component[start]
            && arrivedIn[target] != searches) {
          arrivedIn[target] = searches;
          arrivedBy[target] = edge;
          queue.add(target);
        }
      }
    }
    return null;
  }

  private int[] back(int goal) {
    IntList reversed = new IntList();
    for (int node = goal; arrivedBy[node] >= 0; node = graph.source(arrivedBy[node])) {
      reversed.add(arrivedBy[node]);
    }
    int[] edges = new int[reversed.count()];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = reversed.get(edges.length - 1 - i);
    }
    return edges;
  }

  private boolean byRange(int[] cycle) {
    for (int edge : cycle) {
      if (graph.type(edge) == Graph.RW_RANGE) {
        return true;
      }
    }
    return false;
  }

  private String describe(int[] cycle) {
    StringBuilder text = new StringBuilder("a cycle");
    int begin = 0;
    while (graph.source(cycle[begin]) >= transactions.count()) {
      begin++;
    }
    for (int i = 0; i < cycle.length; i++) {
      int edge = cycle[(begin + i) % cycle.length];
      int node = graph.source(edge);
      if (node < transactions.count()) {
        text.append("\n  ").append(transactions.describe(node));
        text.append("\n    must come before the next: ").append(reason(edge));
      }
    }
    int first = graph.source(cycle[begin]);
    return text.append("\n  T").append(first).append(", the first again").toString();
  }

  private String reason(int edge) {
    String key = graph.key(edge) < 0 ? "" : "key " + keys.key(graph.key(edge));
    return switch (graph.type(edge)) {
      case Graph.WW -> "ww, " + key + ": the next appended behind it";
      case Graph.WR -> "wr, " + key + ": the next read what it wrote";
      case Graph.RW -> "rw, " + key + ": it read the state before the next wrote";
      case Graph.RW_RANGE -> "rw, " + key + ": its range did not hold what the next wrote";
      case Graph.RT -> "rt: it had ended before the next began";
      default -> throw new AssertionError("no reason: edge=" + edge);
    };
  }
}
