package io.bg3.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A directed graph with typed edges, and its strongly connected components in linear time (Tarjan's
 * algorithm, with a stack of its own, because a history is deeper than a thread's).
 *
 * <p>Build it by {@link #node()} and {@link #edge}, then {@link #freeze()} once, then ask.
 */
final class Graph {
  /** Types of edges, as bits, so that a search may leave some out. */
  static final int WW = 1;

  static final int WR = 2;
  static final int RW = 4;

  /** An rw edge because a range did not return a key. */
  static final int RW_RANGE = 8;

  static final int RT = 16;

  /** Leaves a node that only stands for many edges; part of every search. */
  static final int PASS = 32;

  static final int ALL = WW | WR | RW | RW_RANGE | RT | PASS;

  private final IntList from = new IntList();
  private final IntList to = new IntList();
  private final IntList type = new IntList();
  private final IntList key = new IntList();
  private int nodes;

  private int[] starts;
  private int[] order;

  int node() {
    return nodes++;
  }

  void edge(int source, int target, int edgeType, int edgeKey) {
    from.add(source);
    to.add(target);
    type.add(edgeType);
    key.add(edgeKey);
  }

  /** Sorts the edges by their source. */
  void freeze() {
    starts = new int[nodes + 1];
    for (int edge = 0; edge < edges(); edge++) {
      starts[from.get(edge) + 1]++;
    }
    for (int node = 0; node < nodes; node++) {
      starts[node + 1] += starts[node];
    }
    order = new int[edges()];
    int[] next = Arrays.copyOf(starts, nodes);
    for (int edge = 0; edge < edges(); edge++) {
      order[next[from.get(edge)]++] = edge;
    }
  }

  int nodes() {
    return nodes;
  }

  int edges() {
    return from.count();
  }

  int source(int edge) {
    return from.get(edge);
  }

  int target(int edge) {
    return to.get(edge);
  }

  int type(int edge) {
    return type.get(edge);
  }

  int key(int edge) {
    return key.get(edge);
  }

  /** Edges of a node are {@code edgeAt(i)} for {@code first(node) <= i < first(node + 1)}. */
  int first(int node) {
    return starts[node];
  }

  int edgeAt(int index) {
    return order[index];
  }

  /** Components of more than one node when only edges of these types count. */
  List<int[]> components(int types) {
    List<int[]> found = new ArrayList<>();
    int[] index = new int[nodes]; // 0: not met yet
    int[] low = new int[nodes];
    int[] at = new int[nodes];
    boolean[] open = new boolean[nodes];
    IntList path = new IntList();
    IntList members = new IntList();
    int met = 0;
    for (int root = 0; root < nodes; root++) {
      if (index[root] != 0) {
        continue;
      }
      path.add(root);
      while (path.count() > 0) {
        int node = path.get(path.count() - 1);
        if (index[node] == 0) {
          index[node] = ++met;
          low[node] = met;
          at[node] = starts[node];
          open[node] = true;
          members.add(node);
        }
        int deeper = -1;
        while (at[node] < starts[node + 1]) {
          int edge = order[at[node]++];
          if ((type.get(edge) & types) == 0) {
            continue;
          }
          int target = to.get(edge);
          if (index[target] == 0) {
            deeper = target;
            break;
          } else if (open[target]) {
            low[node] = Math.min(low[node], index[target]);
          }
        }
        if (deeper >= 0) {
          path.add(deeper);
          continue;
        }
        path.removeLast();
        if (path.count() > 0) {
          int parent = path.get(path.count() - 1);
          low[parent] = Math.min(low[parent], low[node]);
        }
        if (low[node] == index[node]) {
          close(node, members, open, found);
        }
      }
    }
    return found;
  }

  private static void close(int root, IntList members, boolean[] open, List<int[]> found) {
    IntList component = new IntList();
    int member;
    do {
      member = members.removeLast();
      open[member] = false;
      component.add(member);
    } while (member != root);
    if (component.count() > 1) {
      found.add(component.toArray());
    }
  }
}
