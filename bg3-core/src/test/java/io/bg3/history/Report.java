package io.bg3.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The anomalies that the checker found in a history. */
public final class Report {
  private static final int SHOWN = 5;

  private final List<Anomaly> anomalies = new ArrayList<>();
  private final Map<Anomaly.Kind, Integer> counts = new EnumMap<>(Anomaly.Kind.class);
  private String summary = "";

  /** Remembers every anomaly and the text of the first few of each kind. */
  void add(Anomaly.Kind kind, String text) {
    if (counts.merge(kind, 1, Integer::sum) <= SHOWN) {
      anomalies.add(new Anomaly(kind, text));
    }
  }

  /** Whether more of this kind would only be counted. */
  boolean isFull(Anomaly.Kind kind) {
    return counts.getOrDefault(kind, 0) >= SHOWN;
  }

  void summarise(String text) {
    summary = text;
  }

  /** The first few anomalies of each kind. */
  public List<Anomaly> anomalies() {
    return List.copyOf(anomalies);
  }

  /** Whether an anomaly of this kind was found. */
  public boolean has(Anomaly.Kind kind) {
    return counts.containsKey(kind);
  }

  /** Whether nothing was found. */
  public boolean isClean() {
    return counts.isEmpty();
  }

  /** How many transactions, edges and milliseconds it took. */
  public String summary() {
    return summary;
  }

  /** Returns if nothing was found, and fails with every proof otherwise. */
  public void assertClean() {
    if (!isClean()) {
      throw new AssertionError(toString());
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(summary).append(counts.isEmpty() ? "" : " " + counts);
    for (Anomaly anomaly : anomalies) {
      text.append('\n').append(anomaly);
    }
    return text.toString();
  }
}
