package io.bg3;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Every key of the configuration, with what it means, its default and its range: the one place from
 * which the engine reads its defaults and the configuration reference is generated. Values are text
 * here; {@link Settings} holds them parsed.
 */
public enum Setting {
  DIRECTORY(
      "bg3.directory",
      Kind.TEXT,
      "",
      "",
      "Directory of the store. Without it the store lives in memory and is gone when it is"
          + " closed."),
  READ_ONLY(
      "bg3.read.only",
      Kind.CHOICE,
      "false",
      "true | false",
      "Whether the store is opened to read only. true: no file of it is changed, so that a full or"
          + " read-only disk will do, and several processes may read it at once; commits are"
          + " refused. The log is replayed in memory, with large values on the heap. While a"
          + " process reads the store, none can open it to write."),
  DURABILITY(
      "bg3.durability",
      Kind.CHOICE,
      "sync",
      "sync | async | none",
      "What a commit waits for. sync: until its log record is on the disk, and nobody sees it"
          + " earlier. async: the log is written at once and synced every bg3.durability.interval;"
          + " a power cut may take what was committed since, a process kill nothing that reached"
          + " the operating system. none: never synced but by checkpoints."),
  DURABILITY_INTERVAL(
      "bg3.durability.interval",
      Kind.MILLIS,
      "100",
      "1 to 60000",
      "Milliseconds between two syncs of the log where bg3.durability is async."),
  ISOLATION(
      "bg3.isolation",
      Kind.CHOICE,
      "strict",
      "strict | snapshot",
      "What a commit validates. strict: everything the transaction read (strictly serialisable)."
          + " snapshot: only what it wrote (snapshot isolation: write skew is possible)."),
  TRANSACTION_AGE(
      "bg3.transaction.age",
      Kind.MILLIS,
      "3600000",
      "0, or 100 to 2147483647",
      "Milliseconds that a transaction may be open. An older one fails and can only be rolled back,"
          + " and the old versions that its snapshot kept can go. 0: any time."),
  MEMORY_BUDGET(
      "bg3.memory.budget",
      Kind.BYTES,
      "0",
      "0, or 8m and more",
      "Bytes the whole store may use outside the heap and for its page table: pages, pending log. 0"
          + " stands for half of MaxDirectMemorySize (which is the heap's size unless set). A read"
          + " or write that does not fit fails and nothing is lost. A store is not opened unless"
          + " MaxDirectMemorySize (BG3_DIRECT) is larger by half of this and 16 MiB."),
  PAGE_CAPACITY(
      "bg3.page.capacity",
      Kind.BYTES,
      "16k",
      "512 to 64k",
      "Bytes of a page; a larger one is split."),
  PAGE_CONSOLIDATE(
      "bg3.page.consolidate",
      Kind.COUNT,
      "10",
      "1 to 1000",
      "A page's delta holds at most this many entries before page and delta are merged into a new"
          + " base."),
  VALUE_THRESHOLD(
      "bg3.value.threshold",
      Kind.BYTES,
      "1k",
      "64 to 4k",
      "Values above this many bytes live apart from the pages, in VALUE extents. At most a quarter"
          + " of bg3.page.capacity."),
  EXTENT_SIZE(
      "bg3.extent.size",
      Kind.BYTES,
      "16m",
      "64k to 128m",
      "Bytes of an extent, the unit in which space is taken and given back. Each is a file: a store"
          + " of many terabytes does with fewer open files where they are larger."),
  EXTENT_FILES(
      "bg3.extent.files",
      Kind.COUNT,
      "0",
      "0, or 16 to 1048576",
      "Files of extents that may stay open. Reading from another one opens it first. 0 stands for"
          + " a quarter of the files that the process may open (ulimit -n), at most 65536."),
  LOG_LIMIT(
      "bg3.log.limit",
      Kind.BYTES,
      "256m",
      "256k and more",
      "A checkpoint starts when the log has grown by this much. Commits that come faster than it is"
          + " written are slowed down, so that the log stays below twice as much. The segments"
          + " before it are written again for the log to come, or deleted: up to this much is kept"
          + " while the store is open."),
  LOG_SEGMENT_MIN(
      "bg3.log.segment.min",
      Kind.BYTES,
      "1m",
      "64k to 64m",
      "Bytes of the first segment of the log, a power of two; each next one is twice as large."),
  LOG_SEGMENT_MAX(
      "bg3.log.segment.max",
      Kind.BYTES,
      "16m",
      "64k to 1g",
      "Bytes of the largest segment of the log, a power of two; at most a quarter of bg3.log.limit"
          + " is used."),
  INIT_TREES(
      "bg3.init.trees",
      Kind.COUNT,
      "4",
      "1 to 256",
      "Number of INIT trees, the shared trees that hold the edges of ordinary vertices, hashed by"
          + " vertex. Fixed when a store is created."),
  STRIPES(
      "bg3.stripes",
      Kind.COUNT,
      "65536",
      "64 to 1048576, a power of two",
      "Number of lock stripes that keys are hashed to at commit."),
  GRAPH_IDS(
      "bg3.graph.ids",
      Kind.CHOICE,
      "canonical",
      "canonical | integer | string",
      "How the ids of vertices are shown; what is stored is the same, and every form finds the"
          + " vertex in each. canonical: Long, UUID or String. integer: a number is an Integer"
          + " where it fits, for what was written against TinkerGraph's toy graphs. string: always"
          + " a String, for what was written against stores that have only those."),
  GRAPH_CARDINALITY(
      "bg3.graph.cardinality",
      Kind.CHOICE,
      "single",
      "single | list | set",
      "What becomes of the values that a vertex has under a key when another is set without saying"
          + " a cardinality. single: it replaces them. list: it stands beside them. set: it stands"
          + " beside them unless it is equal to one.");

  /** How the text of a value is read. */
  public enum Kind {
    TEXT,
    CHOICE,
    BYTES,
    COUNT,
    MILLIS
  }

  private final String key;
  private final Kind kind;
  private final String defaultText;
  private final String range;
  private final String description;

  Setting(String key, Kind kind, String defaultText, String range, String description) {
    this.key = key;
    this.kind = kind;
    this.defaultText = defaultText;
    this.range = range;
    this.description = description;
  }

  /** The key as it is written in a configuration, {@code bg3.…}. */
  public String key() {
    return key;
  }

  public Kind kind() {
    return kind;
  }

  /** The default as it would be written. */
  public String defaultText() {
    return defaultText;
  }

  /** The values that are allowed, in words. */
  public String range() {
    return range;
  }

  /** What the setting does, in sentences. */
  public String description() {
    return description;
  }

  /** The setting with this key. */
  public static Optional<Setting> of(String key) {
    return Arrays.stream(values()).filter(s -> s.key.equals(key)).findFirst();
  }

  /** The key that looks most like the given one, for error messages. */
  public static String nearest(String key) {
    String best = "";
    int bestDistance = Integer.MAX_VALUE;
    for (Setting setting : values()) {
      int distance = distance(key.toLowerCase(Locale.ROOT), setting.key);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = setting.key;
      }
    }
    return best;
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
