package io.bg3.bench.work;

import java.util.Locale;
import java.util.Properties;

/**
 * Under which conditions all systems are measured.
 *
 * @param order of the edges in the load
 * @param overwrite which part of the edges is overwritten after the load, 0 to 1
 * @param heavy what becomes of vertices with very many edges in scans
 * @param snapshots how long a reader keeps a snapshot
 * @param handover when a commit that is not synced returns
 * @param reads where reads are measured
 * @param compact whether RocksDB compacts everything between the writes and the reads
 * @param inEntries whether an edge is also stored under its target
 */
public record Conditions(
    LoadOrder order,
    double overwrite,
    HeavyOwners heavy,
    Snapshots snapshots,
    UnsyncedAcknowledgement handover,
    ReadPlace reads,
    boolean compact,
    boolean inEntries) {
  /**
   * Edges are loaded in a random order and not overwritten, any vertex is asked for, each operation
   * has a transaction of its own, and each work a process.
   */
  public static final Conditions PLAIN =
      new Conditions(
          LoadOrder.RANDOM,
          0,
          HeavyOwners.KEEP,
          Snapshots.EACH,
          UnsyncedAcknowledgement.WAIT,
          ReadPlace.REOPENED,
          false,
          false);

  /**
   * @throws IllegalArgumentException if the part is none
   */
  public Conditions {
    if (!(overwrite >= 0 && overwrite <= 1)) {
      throw new IllegalArgumentException("not from 0 to 1: overwrite=" + overwrite);
    }
  }

  /** These conditions, but for when a commit that is not synced returns. */
  public Conditions with(UnsyncedAcknowledgement other) {
    return new Conditions(order, overwrite, heavy, snapshots, other, reads, compact, inEntries);
  }

  /** These conditions, but for the order of the load. */
  public Conditions with(LoadOrder other) {
    return new Conditions(other, overwrite, heavy, snapshots, handover, reads, compact, inEntries);
  }

  void write(Properties values) {
    values.setProperty("order", order.name());
    values.setProperty("overwrite", Double.toString(overwrite));
    values.setProperty("heavy", heavy.name());
    values.setProperty("snapshots", snapshots.name());
    values.setProperty("handover", handover.name());
    values.setProperty("reads.where", reads.name());
    values.setProperty("compact", Boolean.toString(compact));
    values.setProperty("inEntries", Boolean.toString(inEntries));
  }

  static Conditions read(Properties values) {
    return new Conditions(
        LoadOrder.valueOf(values.getProperty("order")),
        Double.parseDouble(values.getProperty("overwrite")),
        HeavyOwners.valueOf(values.getProperty("heavy")),
        Snapshots.valueOf(values.getProperty("snapshots")),
        UnsyncedAcknowledgement.valueOf(values.getProperty("handover")),
        ReadPlace.valueOf(values.getProperty("reads.where")),
        Boolean.parseBoolean(values.getProperty("compact")),
        Boolean.parseBoolean(values.getProperty("inEntries")));
  }

  /** The options of the command that make these conditions. */
  @Override
  public String toString() {
    return "--load-order "
        + text(order)
        + " --overwrite "
        + overwrite
        + " --heavy "
        + text(heavy)
        + " --transaction "
        + text(snapshots)
        + " --handover "
        + text(handover)
        + " --reads "
        + text(reads)
        + (compact ? " --compact" : "")
        + (inEntries ? " --in-entries" : "");
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
