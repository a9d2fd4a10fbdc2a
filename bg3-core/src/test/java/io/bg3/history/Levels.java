package io.bg3.history;

import io.bg3.history.Anomaly.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The order of a set that is added to blindly. Of two reads of one set one contains the other, or
 * they contradict each other. So the reads, by size, form levels; the members that a level has and
 * the one below has not were added between them, in an order that nobody saw and nobody needs.
 */
final class Levels {
  /**
   * Above so many edges between a level's readers and the next level's writers, a node stands for
   * them.
   */
  private static final int DIRECT = 64;

  private final Dependencies all;
  private final int key;
  private final Transactions transactions;

  private final List<IntList> readers = new ArrayList<>();
  private final List<IntList> writers = new ArrayList<>();

  private static final class Read {
    final int reader;
    final int[] members;
    final boolean absent;

    Read(int reader, int[] members, boolean absent) {
      this.reader = reader;
      this.members = members;
      this.absent = absent;
    }
  }

  Levels(Dependencies all, int key) {
    this.all = all;
    this.key = key;
    this.transactions = all.transactions();
  }

  void draw(int[] written) {
    List<Read> reads = new ArrayList<>();
    all.reads(key, (reader, o) -> reads.add(new Read(reader, foreign(reader, o), o.absent())));
    reads.sort(Comparator.comparingInt(read -> read.members.length));
    Set<Integer> members = new HashSet<>();
    int[] last = new int[0];
    boolean[] byRange = new boolean[reads.size() + 1];
    level(); // level 0: nothing added yet
    for (Read read : reads) {
      if (!contains(read.members, last)) {
        all.report()
            .add(
                Kind.INCOMPATIBLE_ORDER,
                "set "
                    + all.keys().key(key)
                    + " is "
                    + Arrays.toString(last)
                    + " in another read\n  "
                    + transactions.describe(read.reader));
        continue;
      }
      if (read.members.length > last.length) {
        level();
        for (int member : read.members) {
          if (Arrays.binarySearch(last, member) < 0) {
            members.add(member);
            writers.get(writers.size() - 1).add(transactions.writer(member));
          }
        }
        last = read.members;
      }
      byRange[readers.size() - 1] |= read.absent;
      readers.get(readers.size() - 1).add(read.reader);
    }
    for (int value : written) {
      if (members.contains(value)) {
        all.found(key, value);
      }
    }
    all.lostAcknowledgements(key, written);
    for (int level = 0; level < readers.size(); level++) {
      edges(writers.get(level), readers.get(level), Graph.WR);
      if (level + 1 < readers.size()) {
        int type = byRange[level] ? Graph.RW_RANGE : Graph.RW;
        edges(readers.get(level), writers.get(level + 1), type);
      }
    }
  }

  private void level() {
    readers.add(new IntList());
    writers.add(new IntList());
  }

  private void edges(IntList sources, IntList targets, int type) {
    long product = (long) sources.count() * targets.count();
    if (product > DIRECT && disjoint(sources, targets)) {
      int node = all.graph().node();
      for (int i = 0; i < sources.count(); i++) {
        all.edge(sources.get(i), node, type, key);
      }
      for (int i = 0; i < targets.count(); i++) {
        all.edge(node, targets.get(i), Graph.PASS, key);
      }
      return;
    }
    for (int i = 0; i < sources.count(); i++) {
      for (int j = 0; j < targets.count(); j++) {
        all.edge(sources.get(i), targets.get(j), type, key);
      }
    }
  }

  private static boolean disjoint(IntList some, IntList others) {
    int[] sorted = some.toArray();
    Arrays.sort(sorted);
    for (int i = 0; i < others.count(); i++) {
      if (Arrays.binarySearch(sorted, others.get(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The members that the reader had not added itself and that another transaction added, sorted.
   */
  private int[] foreign(int reader, Observation observation) {
    int[] members = observation.array();
    int[] foreign = new int[members.length];
    int count = 0;
    for (int member : members) {
      int writer = transactions.writer(member);
      if (writer >= 0 && writer != reader) {
        foreign[count++] = member;
      }
    }
    foreign = Arrays.copyOf(foreign, count);
    Arrays.sort(foreign);
    return foreign;
  }

  private static boolean contains(int[] larger, int[] smaller) {
    for (int member : smaller) {
      if (Arrays.binarySearch(larger, member) < 0) {
        return false;
      }
    }
    return true;
  }
}
