package io.bg3.server.hostile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The requests of the honest clients of one language, how long each answer took, and the outcomes
 * of their writes. Threads: any.
 */
public final class Ledger {
  /** The outcome of a request that was done. */
  public static final String OK = "ok";

  /** The outcome of a request whose connection broke: nobody knows whether it was done. */
  public static final String LOST = "lost";

  private record Entry(String what, long startMillis, long micros, String outcome) {}

  private final List<Entry> entries = new ArrayList<>();
  private final Set<Integer> acknowledged = new HashSet<>();
  private final Set<Integer> refused = new HashSet<>();

  /** A line {@code WHAT START-MILLIS MICROS OUTCOME NUMBER}, as the clients print it. */
  public void add(String line) {
    String[] words = line.split(" ", -1);
    add(
        words[0],
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        words[3],
        Integer.parseInt(words[4]));
  }

  /**
   * Notes a request.
   *
   * @param what read or write
   * @param startMillis when it was sent, since 1970
   * @param outcome {@link #OK}, {@link #LOST}, a status, or {@code wrong} for a wrong answer
   * @param number of the vertex that it writes
   */
  public synchronized void add(
      String what, long startMillis, long micros, String outcome, int number) {
    entries.add(new Entry(what, startMillis, micros, outcome));
    if (what.equals("write") && outcome.equals(OK)) {
      acknowledged.add(number);
    } else if (what.equals("write") && !outcome.equals(LOST)) {
      refused.add(number);
    }
  }

  /** How many requests were answered. */
  public synchronized int count() {
    return entries.size();
  }

  /** How long the answers to the requests of a time took, in microseconds, from the shortest. */
  public synchronized long[] micros(long fromMillis, long toMillis) {
    return entries.stream()
        .filter(entry -> entry.startMillis >= fromMillis && entry.startMillis < toMillis)
        .mapToLong(Entry::micros)
        .sorted()
        .toArray();
  }

  /** The slowest three requests of a time, and how far behind its beginning each was sent. */
  public synchronized String slowest(long fromMillis, long toMillis) {
    return entries.stream()
        .filter(entry -> entry.startMillis >= fromMillis && entry.startMillis < toMillis)
        .sorted(Comparator.comparingLong(Entry::micros).reversed())
        .limit(3)
        .map(
            entry ->
                entry.what
                    + " after "
                    + (entry.startMillis - fromMillis)
                    + " ms: "
                    + entry.micros / 1_000
                    + " ms")
        .collect(Collectors.joining(", "));
  }

  /** How often requests had each outcome but {@link #OK}. */
  public synchronized Map<String, Long> failures() {
    Map<String, Long> failures = new TreeMap<>();
    for (Entry entry : entries) {
      if (!entry.outcome.equals(OK)) {
        failures.merge(entry.what + " " + entry.outcome, 1L, Long::sum);
      }
    }
    return failures;
  }

  /** Compares with the numbers that are in the graph; what disagrees, in words. */
  public synchronized List<String> compare(String name, List<Object> there) {
    List<String> problems = new ArrayList<>();
    Set<Object> found = new HashSet<>(there);
    if (found.size() != there.size()) {
      problems.add(name + ": a write was done twice");
    }
    Set<Integer> gone = new HashSet<>(acknowledged);
    gone.removeAll(found);
    if (!gone.isEmpty()) {
      problems.add(name + ": acknowledged and not there: " + gone);
    }
    Set<Integer> kept = new HashSet<>(refused);
    kept.retainAll(found);
    if (!kept.isEmpty()) {
      problems.add(name + ": refused and there: " + kept);
    }
    return problems;
  }

  /** The part of a sorted array that a share of its elements does not exceed; 0 if it is empty. */
  public static long percentile(long[] sorted, double share) {
    return sorted.length == 0
        ? 0
        : sorted[Math.min(sorted.length - 1, (int) Math.ceil(share * sorted.length) - 1)];
  }

  @Override
  public String toString() {
    return Arrays.toString(failures().entrySet().toArray());
  }
}
