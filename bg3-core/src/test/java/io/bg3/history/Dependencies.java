package io.bg3.history;

import io.bg3.history.Anomaly.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the order of the versions of every key, reports what is wrong without looking at more than
 * one key, and draws the edges between transactions. Nodes 0 to n - 1 of the graph are the
 * transactions.
 *
 * <p>Real time is drawn in 3 n edges: the ends of transactions are a chain of nodes in their order;
 * a transaction points at the node of its end, and the last end before its start points at it.
 */
final class Dependencies {
  private final Keys keys;
  private final Transactions transactions;
  private final Report report;
  private final Graph graph = new Graph();

  /** Observations by key, to be drawn once the order of the key is known. */
  private final List<List<Seen>> observations = new ArrayList<>();

  private final int[] lastSeenIn;
  private int lists;

  private record Seen(int reader, Observation observation) {}

  private Dependencies(Keys keys, Transactions transactions, int values, Report report) {
    this.keys = keys;
    this.transactions = transactions;
    this.report = report;
    this.lastSeenIn = new int[values + 1];
    for (int i = 0; i < transactions.count(); i++) {
      graph.node();
    }
    for (int i = 0; i < keys.count(); i++) {
      observations.add(new ArrayList<>(4));
    }
  }

  static Graph draw(Keys keys, Transactions transactions, int values, Report report) {
    Dependencies all = new Dependencies(keys, transactions, values, report);
    all.observe();
    int[][] written = all.written();
    for (int key = 0; key < keys.count(); key++) {
      switch (keys.kind(key)) {
        case COUNT -> all.count(key, written[key]);
        case SET -> new Levels(all, key).draw(written[key]);
        default -> all.list(key, written[key]);
      }
    }
    all.realTime();
    all.graph.freeze();
    return all.graph;
  }

  private void observe() {
    for (int i = 0; i < transactions.count(); i++) {
      int reader = i;
      Observation.each(transactions.get(i), keys, o -> observe(reader, o));
    }
  }

  private void observe(int reader, Observation observation) {
    if (observation.seen() == Observation.INTERNAL) {
      report.add(
          Kind.INTERNAL,
          "did not see its own writes to key "
              + keys.key(observation.key())
              + "\n  "
              + transactions.describe(reader));
      return;
    }
    observations.get(observation.key()).add(new Seen(reader, observation));
    if (observation.values() == null) {
      return;
    }
    lists++;
    for (int value : observation.array()) {
      int writer = transactions.writer(value);
      if (writer < 0) {
        foreign(reader, observation, value, writer);
      } else if (lastSeenIn[value] == lists) {
        report.add(Kind.DUPLICATE, "value " + value + " twice\n  " + transactions.describe(reader));
      } else {
        lastSeenIn[value] = lists;
      }
    }
  }

  private void foreign(int reader, Observation observation, int value, int writer) {
    String read = "key " + keys.key(observation.key()) + " holds " + value;
    String by = "\n  read by " + transactions.describe(reader);
    if (writer == Transactions.NOBODY) {
      report.add(Kind.GARBAGE, read + ", which nobody wrote" + by);
    } else {
      Attempt aborted = transactions.anyWriter(value);
      report.add(Kind.G1A, read + "\n  of the aborted {" + aborted + "}" + by);
    }
  }

  /** The values written to each key by transactions that took effect. */
  private int[][] written() {
    IntList[] columns = new IntList[keys.count()];
    for (int i = 0; i < transactions.count(); i++) {
      for (Operation operation : transactions.get(i).operations()) {
        if (operation.kind == Operation.Kind.APPEND) {
          int key = keys.number(operation.key);
          if (columns[key] == null) {
            columns[key] = new IntList();
          }
          columns[key].add(operation.values[0]);
        }
      }
    }
    int[][] written = new int[keys.count()][];
    for (int key = 0; key < written.length; key++) {
      written[key] = columns[key] == null ? new int[0] : columns[key].toArray();
    }
    return written;
  }

  private void list(int key, int[] written) {
    int[] order = new int[0];
    for (Seen seen : observations.get(key)) {
      if (seen.observation.values() != null && seen.observation.array().length > order.length) {
        order = seen.observation.array();
      }
    }
    List<Seen> consistent = new ArrayList<>();
    for (Seen seen : observations.get(key)) {
      if (seen.observation.values() == null) {
        consistent.add(seen);
        continue;
      }
      int[] read = seen.observation.array();
      if (Arrays.equals(read, 0, read.length, order, 0, read.length)) {
        consistent.add(seen);
      } else {
        report.add(
            Kind.INCOMPATIBLE_ORDER,
            "key "
                + keys.key(key)
                + " is "
                + Arrays.toString(order)
                + " in another read\n  "
                + transactions.describe(seen.reader));
      }
    }
    drawList(key, order, consistent, written);
  }

  /**
   * A list of which only lengths are known: the appending transaction had read the length before.
   */
  private void count(int key, int[] written) {
    int[] order = new int[written.length];
    for (int value : written) {
      int writer = transactions.writer(value);
      int at = -1;
      for (Seen seen : observations.get(key)) {
        if (seen.reader == writer) {
          at = seen.observation.seen();
          break;
        }
      }
      if (at < 0) {
        throw new IllegalArgumentException(
            "appended to a count without reading it: key=" + keys.key(key) + ", value=" + value);
      }
      while (at < order.length && order[at] != 0 && transactions.writer(order[at]) == writer) {
        at++;
      }
      if (at < order.length && order[at] == 0) {
        order[at] = value;
      }
    }
    int length = 0;
    while (length < order.length && order[length] != 0) {
      length++;
    }
    drawList(key, Arrays.copyOf(order, length), observations.get(key), written);
  }

  private void drawList(int key, int[] order, List<Seen> reads, int[] written) {
    for (int value : order) {
      if (transactions.writer(value) >= 0) {
        lastSeenIn[value] = -1 - key;
      }
    }
    lostAcknowledgements(key, written);
    for (int i = 1; i < order.length; i++) {
      edge(transactions.writer(order[i - 1]), transactions.writer(order[i]), Graph.WW, key);
    }
    Map<Integer, Integer> updaters = new HashMap<>();
    for (Seen seen : reads) {
      int length = seen.observation.seen();
      if (length > order.length) {
        report.add(
            Kind.GARBAGE,
            "key "
                + keys.key(key)
                + " has "
                + length
                + " values, of which only "
                + order.length
                + " were written one after another\n  "
                + transactions.describe(seen.reader));
        continue;
      }
      if (length > 0) {
        int writer = transactions.writer(order[length - 1]);
        edge(writer, seen.reader, Graph.WR, key);
        if (length < order.length
            && writer >= 0
            && writer != seen.reader
            && writer == transactions.writer(order[length])) {
          report.add(
              Kind.G1B,
              "key "
                  + keys.key(key)
                  + " ends with "
                  + order[length - 1]
                  + ", not its writer's last"
                  + "\n  written by "
                  + transactions.describe(writer)
                  + "\n  read by "
                  + transactions.describe(seen.reader));
        }
      }
      if (length < order.length) {
        int type = seen.observation.absent() ? Graph.RW_RANGE : Graph.RW;
        edge(seen.reader, transactions.writer(order[length]), type, key);
      }
      if (written.length > 1 && appends(seen.reader, key)) {
        lostUpdate(key, length, seen.reader, updaters);
      }
    }
  }

  private void lostUpdate(int key, int length, int reader, Map<Integer, Integer> updaters) {
    Integer other = updaters.putIfAbsent(length, reader);
    if (other != null && other != reader) {
      report.add(
          Kind.LOST_UPDATE,
          "both read "
              + length
              + " values of key "
              + keys.key(key)
              + " and appended the next\n  "
              + transactions.describe(other)
              + "\n  "
              + transactions.describe(reader));
    }
  }

  /** Every value written that was not marked as found in the last state of the key. */
  void lostAcknowledgements(int key, int[] written) {
    for (int value : written) {
      if (lastSeenIn[value] != -1 - key) {
        report.add(
            Kind.LOST_ACKNOWLEDGEMENT,
            "value "
                + value
                + " is not in the longest read of key "
                + keys.key(key)
                + "\n  "
                + transactions.describe(transactions.writer(value)));
      }
    }
  }

  boolean appends(int transaction, int key) {
    for (Operation operation : transactions.get(transaction).operations()) {
      if (operation.kind == Operation.Kind.APPEND && operation.key == keys.key(key)) {
        return true;
      }
    }
    return false;
  }

  void found(int key, int value) {
    lastSeenIn[value] = -1 - key;
  }

  void edge(int source, int target, int type, int key) {
    if (source >= 0 && target >= 0 && source != target) {
      graph.edge(source, target, type, key);
    }
  }

  private void realTime() {
    Integer[] byEnd = new Integer[transactions.count()];
    Integer[] byStart = new Integer[transactions.count()];
    for (int i = 0; i < byEnd.length; i++) {
      byEnd[i] = i;
      byStart[i] = i;
    }
    Arrays.sort(byEnd, Comparator.comparingLong((Integer i) -> transactions.get(i).end()));
    Arrays.sort(byStart, Comparator.comparingLong((Integer i) -> transactions.get(i).start()));
    int last = -1;
    int ended = 0;
    for (int started : byStart) {
      while (ended < byEnd.length
          && transactions.get(byEnd[ended]).end() < transactions.get(started).start()) {
        int end = graph.node();
        if (last >= 0) {
          graph.edge(last, end, Graph.PASS, -1);
        }
        graph.edge(byEnd[ended], end, Graph.RT, -1);
        last = end;
        ended++;
      }
      if (last >= 0) {
        graph.edge(last, started, Graph.PASS, -1);
      }
    }
  }

  Graph graph() {
    return graph;
  }

  Keys keys() {
    return keys;
  }

  Transactions transactions() {
    return transactions;
  }

  Report report() {
    return report;
  }

  /** Calls back for every read of the key: reader, what it saw. */
  void reads(int key, ReadVisitor visitor) {
    for (Seen seen : observations.get(key)) {
      visitor.visit(seen.reader, seen.observation);
    }
  }

  /** Gets who read what. */
  interface ReadVisitor {
    void visit(int reader, Observation observation);
  }
}
