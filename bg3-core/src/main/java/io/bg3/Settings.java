package io.bg3;

import io.bg3.storage.codec.Compression;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The settings of one store: text by {@link Setting}, checked when it is set, read by the accessors
 * below. Immutable; {@link #with} gives a changed copy.
 */
public final class Settings {
  private final Map<Setting, String> texts;

  private Settings(Map<Setting, String> texts) {
    this.texts = texts;
  }

  /**
   * All defaults: a store in memory. System properties with the keys of {@link Setting#SPLIT_OUT}
   * and {@link Setting#COUNTED_LEAVES} take the place of these defaults, so that a test suite can
   * run once more with trees of their own for most vertices.
   */
  public static Settings defaults() {
    Settings defaults = new Settings(new EnumMap<>(Setting.class));
    for (Setting setting : List.of(Setting.SPLIT_OUT, Setting.COUNTED_LEAVES)) {
      String given = System.getProperty(setting.key());
      defaults = given == null ? defaults : defaults.with(setting, given);
    }
    return defaults;
  }

  /**
   * These settings with one changed.
   *
   * @throws IllegalArgumentException when the key is not known (the message names the nearest that
   *     is) or the value is not one of its kind or range
   */
  public Settings with(String key, String value) {
    Setting setting =
        Setting.of(key)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "unknown setting: key=" + key + ", nearest=" + Setting.nearest(key)));
    return with(setting, value);
  }

  /**
   * These settings with one changed; throws IllegalArgumentException when the value is not allowed.
   */
  public Settings with(Setting setting, String value) {
    Map<Setting, String> changed = new EnumMap<>(Setting.class);
    changed.putAll(texts);
    changed.put(setting, value.trim());
    Settings settings = new Settings(changed);
    settings.check(setting);
    return settings;
  }

  /** The value of a setting as text, the default's where it was not set. */
  public String text(Setting setting) {
    return texts.getOrDefault(setting, setting.defaultText());
  }

  /** Whether it was set. */
  public boolean isSet(Setting setting) {
    return texts.containsKey(setting);
  }

  /** A number of bytes ({@code 512}, {@code 16k}, {@code 256m}, {@code 2g}). */
  public long bytes(Setting setting) {
    try {
      return parseBytes(text(setting));
    } catch (IllegalArgumentException e) {
      throw invalid(setting);
    }
  }

  /**
   * Bytes of {@code bg3.memory.budget}, of the default where it is not set.
   *
   * @throws IllegalArgumentException if the JVM may not take as much memory outside of the heap
   */
  public long memoryBudget() {
    long set = bytes(Setting.MEMORY_BUDGET);
    int reads = count(Setting.IO_READS);
    long budget = set > 0 ? set : DirectMemory.defaultBudget(reads);
    DirectMemory.require(budget, DirectMemory.limit(), reads);
    return budget;
  }

  /**
   * Reads a number of bytes with an optional unit; throws IllegalArgumentException if it is none.
   */
  static long parseBytes(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    int shift =
        switch (lower.isEmpty() ? ' ' : lower.charAt(lower.length() - 1)) {
          case 'k' -> 10;
          case 'm' -> 20;
          case 'g' -> 30;
          case 't' -> 40;
          default -> 0;
        };
    long number = Long.parseLong(shift == 0 ? lower : lower.substring(0, lower.length() - 1));
    if (number < 0 || number > Long.MAX_VALUE >> shift) {
      throw new IllegalArgumentException("not a number of bytes: " + text);
    }
    return number << shift;
  }

  /** A count, or a number of milliseconds. */
  public int count(Setting setting) {
    long number = number(setting);
    if (number > Integer.MAX_VALUE) {
      throw invalid(setting);
    }
    return (int) number;
  }

  /** A number with decimals. */
  double ratio(Setting setting) {
    try {
      double ratio = Double.parseDouble(text(setting));
      if (Double.isFinite(ratio)) {
        return ratio;
      }
      throw invalid(setting);
    } catch (NumberFormatException e) {
      throw invalid(setting);
    }
  }

  /** How a stream is compressed. */
  Compression compression(Setting setting) {
    return Compression.of(text(setting));
  }

  private long number(Setting setting) {
    try {
      long number = Long.parseLong(text(setting));
      if (number < 0) {
        throw invalid(setting);
      }
      return number;
    } catch (NumberFormatException e) {
      throw invalid(setting);
    }
  }

  private void check(Setting setting) {
    boolean allowed =
        switch (setting) {
          case DIRECTORY -> true;
          case READ_ONLY, IO_DIRECT, TOPOLOGY_FIRST, CHECKPOINT_PACED ->
              text(setting).matches("true|false");
          case DURABILITY -> text(setting).matches("sync|async|none");
          case ISOLATION -> text(setting).matches("strict|snapshot");
          case DURABILITY_INTERVAL -> within(count(setting), 1, 60_000);
          case TRANSACTION_AGE ->
              count(setting) == 0 || within(count(setting), 100, Integer.MAX_VALUE);
          case MEMORY_BUDGET -> bytes(setting) == 0 || bytes(setting) >= 8 << 20;
          case PAGE_CAPACITY -> within(bytes(setting), 512, 64 << 10);
          case PAGE_CONSOLIDATE -> within(count(setting), 1, 1000);
          case VALUE_THRESHOLD -> within(bytes(setting), 64, 4 << 10);
          case COMPRESSION_BASE, COMPRESSION_DELTA -> Compression.isValid(text(setting));
          case COMPRESSION_VALUE ->
              Compression.isValid(text(setting)) && !text(setting).equals("packed");
          case EXTENT_SIZE -> within(bytes(setting), 64 << 10, 128 << 20);
          case EXTENT_FILES -> count(setting) == 0 || within(count(setting), 16, 1 << 20);
          case IO_READS -> within(count(setting), 1, 64);
          case RECLAIM_AMPLIFICATION ->
              ratio(setting) == 0 || (ratio(setting) >= 1.1 && ratio(setting) <= 100);
          case RECLAIM_POLICY -> text(setting).matches("cost-benefit|mdc|dirty|paper|fifo");
          case LOG_LIMIT -> bytes(setting) >= 256 << 10;
          case LOG_SEGMENT_MIN -> within(bytes(setting), 64 << 10, 64 << 20);
          case LOG_SEGMENT_MAX -> within(bytes(setting), 64 << 10, 1 << 30);
          case INIT_TREES -> within(count(setting), 1, 256);
          case SPLIT_OUT -> count(setting) == 0 || within(count(setting), 8, Integer.MAX_VALUE);
          case COUNTED_LEAVES -> within(count(setting), 2, Integer.MAX_VALUE);
          case INIT_LIMIT -> bytes(setting) == 0 || bytes(setting) >= 64 << 10;
          case FAMILIES -> FamilyList.parse(text(setting)) != null; // it throws
          case STRIPES ->
              within(count(setting), 64, 1 << 20) && Integer.bitCount(count(setting)) == 1;
          case GRAPH_IDS -> text(setting).matches("canonical|integer|string");
          case GRAPH_CARDINALITY -> text(setting).matches("single|list|set");
        };
    if (!allowed) {
      throw invalid(setting);
    }
  }

  private static boolean within(long value, long low, long high) {
    return low <= value && value <= high;
  }

  private IllegalArgumentException invalid(Setting setting) {
    return new IllegalArgumentException(
        "invalid setting: key="
            + setting.key()
            + ", value="
            + text(setting)
            + ", allowed="
            + setting.range());
  }

  @Override
  public String toString() {
    return "Settings" + texts;
  }
}
