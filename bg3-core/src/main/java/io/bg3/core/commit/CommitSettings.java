package io.bg3.core.commit;

import io.bg3.core.keyspace.ValueStore;
import io.bg3.core.value.LargeValueCache;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentStore;

/**
 * The settings of the commit layer.
 *
 * @param durability what a commit that returned has survived
 * @param intervalMillis time between two syncs when the durability is {@link Durability#ASYNC}, 1
 *     or more
 * @param stripes number of locks that commits are kept apart by, a power of two up to 2^24
 * @param valueThreshold values longer than this many bytes go to the VALUE stream, 64 or more
 * @param patienceMillis how long the helper for retries keeps others away while it does its work, 1
 *     or more
 * @param ageMillis how long a transaction may be open; 0: for any time
 * @param values what compresses the values of the VALUE stream
 */
public record CommitSettings(
    Durability durability,
    long intervalMillis,
    int stripes,
    int valueThreshold,
    long patienceMillis,
    long ageMillis,
    Compressor values) {
  /** Synced commits, 65,536 stripes, values up to 1 KiB in pages. */
  public static final CommitSettings DEFAULT =
      new CommitSettings(Durability.SYNC, 100, 1 << 16, 1 << 10, 1_000, 0);

  /** Settings that compress no values. */
  public CommitSettings(
      Durability durability,
      long intervalMillis,
      int stripes,
      int valueThreshold,
      long patienceMillis,
      long ageMillis) {
    this(
        durability,
        intervalMillis,
        stripes,
        valueThreshold,
        patienceMillis,
        ageMillis,
        Compressor.none());
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is outside its range
   */
  public CommitSettings {
    if (durability == null || intervalMillis < 1 || patienceMillis < 1 || ageMillis < 0) {
      throw new IllegalArgumentException(
          "durability must be set and times positive: durability="
              + durability
              + ", intervalMillis="
              + intervalMillis
              + ", patienceMillis="
              + patienceMillis
              + ", ageMillis="
              + ageMillis);
    }
    if (stripes < 1 || stripes > 1 << 24 || Integer.bitCount(stripes) != 1) {
      throw new IllegalArgumentException(
          "stripes must be a power of two up to 2^24: stripes=" + stripes);
    }
    if (valueThreshold < 64) {
      throw new IllegalArgumentException(
          "value threshold must be at least 64 bytes: valueThreshold=" + valueThreshold);
    }
  }

  /** These settings, with another durability. */
  public CommitSettings with(Durability other) {
    return new CommitSettings(
        other, intervalMillis, stripes, valueThreshold, patienceMillis, ageMillis, values);
  }

  /** These settings, with what compresses the values of the VALUE stream. */
  public CommitSettings with(Compressor other) {
    return new CommitSettings(
        durability, intervalMillis, stripes, valueThreshold, patienceMillis, ageMillis, other);
  }

  /** The store of large values in these extents, some of which a cache keeps in memory. */
  public ValueStore valueStore(ExtentStore extents, LargeValueCache cache) {
    return new ValueStore(extents, valueThreshold, values, cache);
  }
}
