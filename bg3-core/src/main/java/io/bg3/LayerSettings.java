package io.bg3;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.recovery.CheckpointSettings;
import io.bg3.core.recovery.ReclaimPolicy;
import io.bg3.core.recovery.ReclaimSettings;
import io.bg3.core.transaction.Isolation;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.LogSettings.Zeroed;
import java.util.Locale;

/**
 * Translates the settings of a store for its layers: every layer has a record of its own, and reads
 * no {@link Setting}.
 *
 * <p>Threads: any; without state.
 */
final class LayerSettings {
  private static final int PENDING_SHARE = 16;

  /**
   * The log is deleted by segments, so that its limit means something each must be a small part of
   * it.
   */
  private static final int SEGMENTS_IN_LIMIT = 4;

  /** A larger limit of the log is none. */
  static final long UNLIMITED_LOG = Long.MAX_VALUE / 4;

  private static final int LOG_BUFFER = 1 << 20;

  private static final long PATIENCE_MILLIS = 1_000;

  private LayerSettings() {}

  /**
   * The settings of the log.
   *
   * @param disk where the log is: in memory, no files are kept for reuse
   * @param store the id of the store
   */
  static LogSettings log(Settings settings, Disk disk, long store) {
    long share = Long.highestOneBit(settings.bytes(Setting.LOG_LIMIT) / SEGMENTS_IN_LIMIT);
    int max = (int) Math.min(share, settings.bytes(Setting.LOG_SEGMENT_MAX));
    int min = (int) Math.min(max, settings.bytes(Setting.LOG_SEGMENT_MIN));
    Zeroed zeroed = durability(settings) == Durability.SYNC ? Zeroed.AHEAD : Zeroed.WITH_RECORDS;
    boolean spares = !(disk instanceof MemoryDisk); // there it would be heap, and saves nothing
    return new LogSettings(store, min, max, budgetBytes(settings) / PENDING_SHARE, LOG_BUFFER)
        .keeping(spares ? settings.bytes(Setting.LOG_LIMIT) : 0)
        .zeroed(zeroed);
  }

  /**
   * The compressor that a setting names.
   *
   * @throws IllegalArgumentException if the codec cannot be loaded on this machine
   */
  static Compressor compressor(Settings settings, Setting setting) {
    try {
      return new Compressor(settings.compression(setting));
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(
          "the codec is not available on this platform; choose another: key="
              + setting.key()
              + ", value="
              + settings.text(setting)
              + ", reason="
              + e.getMessage(),
          e);
    }
  }

  /**
   * The settings of the extents.
   *
   * @param store the id of the store
   */
  static ExtentSettings extents(Settings settings, long store) {
    ExtentSettings extents =
        ExtentSettings.of(store, (int) settings.bytes(Setting.EXTENT_SIZE))
            .withDirect(settings.text(Setting.IO_DIRECT).equals("true"));
    int files = settings.count(Setting.EXTENT_FILES);
    return files == 0 ? extents : extents.withOpenFiles(files);
  }

  /** The settings of the copying of extents. */
  static ReclaimSettings reclaim(Settings settings) {
    String policy = settings.text(Setting.RECLAIM_POLICY).replace('-', '_');
    return new ReclaimSettings(
        ReclaimPolicy.valueOf(policy.toUpperCase(Locale.ROOT)),
        settings.ratio(Setting.RECLAIM_AMPLIFICATION));
  }

  /**
   * The settings of checkpoints.
   *
   * @param logs of the same store: the files of the log stay below twice the limit
   */
  static CheckpointSettings checkpoints(Settings settings, LogSettings logs) {
    long limit = settings.bytes(Setting.LOG_LIMIT);
    long room = limit <= UNLIMITED_LOG ? logs.lengthWithin(2 * limit) - limit : limit;
    boolean paced = settings.text(Setting.CHECKPOINT_PACED).equals("true");
    return new CheckpointSettings(limit, room, paced);
  }

  /**
   * The settings of commits.
   *
   * @param capacity of a page, in bytes
   */
  static CommitSettings commits(Settings settings, int capacity) {
    int threshold = Math.min((int) settings.bytes(Setting.VALUE_THRESHOLD), capacity / 4);
    return new CommitSettings(
        durability(settings),
        settings.count(Setting.DURABILITY_INTERVAL),
        settings.count(Setting.STRIPES),
        Math.max(64, threshold),
        PATIENCE_MILLIS,
        settings.count(Setting.TRANSACTION_AGE));
  }

  /** Whether the store is opened to read only. */
  static boolean isReadOnly(Settings settings) {
    return settings.text(Setting.READ_ONLY).equals("true");
  }

  /** Reads which step of durability a commit waits for. */
  static Durability durability(Settings settings) {
    return Durability.valueOf(settings.text(Setting.DURABILITY).toUpperCase(Locale.ROOT));
  }

  /** How transactions see each other. */
  static Isolation isolation(Settings settings) {
    return Isolation.valueOf(settings.text(Setting.ISOLATION).toUpperCase(Locale.ROOT));
  }

  /** The options that set the budget, for messages. */
  static String budgetSetting(Settings settings) {
    String key = Setting.MEMORY_BUDGET.key();
    return settings.bytes(Setting.MEMORY_BUDGET) > 0
        ? key
        : key + " (not set, taken from " + DirectMemory.source() + ")";
  }

  /** The bytes outside of the heap that the store may take. */
  static long budgetBytes(Settings settings) {
    long bytes = settings.bytes(Setting.MEMORY_BUDGET);
    return bytes > 0 ? bytes : DirectMemory.defaultBudget(settings.count(Setting.IO_READS));
  }

  /**
   * Refuses a budget that the JVM cannot give.
   *
   * @throws IllegalArgumentException naming the settings of the budget and of the JVM
   */
  static void requireMemory(Settings settings) {
    int reads = settings.count(Setting.IO_READS);
    DirectMemory.require(budgetBytes(settings), DirectMemory.limit(), reads);
  }
}
