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
      "The directory of the store. Without it the store is in memory, and closing it"
          + " discards all data."),
  READ_ONLY(
      "bg3.read.only",
      Kind.CHOICE,
      "false",
      "true | false",
      "Whether the store is opened for reading only. true: BG3 changes no file of the store and"
          + " refuses commits. The disk may be full or read-only, and several processes may read"
          + " the store at once. BG3 replays the log in memory and keeps its large values on the"
          + " heap. While a process reads the store, no process can open the store for writing."),
  DURABILITY(
      "bg3.durability",
      Kind.CHOICE,
      "sync",
      "sync | async | none",
      "When a commit returns. sync: when its log record is on the disk; no reader sees the commit"
          + " earlier. async: when it is applied; BG3 writes the log at once and syncs it every"
          + " bg3.durability.interval. A power cut may lose the commits since the last sync; a"
          + " killed process loses none that has reached the operating system. none: as async, but"
          + " only checkpoints sync the log."),
  DURABILITY_INTERVAL(
      "bg3.durability.interval",
      Kind.MILLIS,
      "100",
      "1 to 60000",
      "Milliseconds between two syncs of the log if bg3.durability is async."),
  ISOLATION(
      "bg3.isolation",
      Kind.CHOICE,
      "strict",
      "strict | snapshot",
      "The reads that a commit validates. strict: all reads of the transaction (strictly"
          + " serialisable). snapshot: only the keys that the transaction has written (snapshot"
          + " isolation; write skew is possible)."),
  TRANSACTION_AGE(
      "bg3.transaction.age",
      Kind.MILLIS,
      "3600000",
      "0, or 100 to 2147483647",
      "The longest time in milliseconds that a transaction may be open. An older transaction fails"
          + " and can only be rolled back, and BG3 can drop the old versions that its snapshot has"
          + " kept. 0: no limit."),
  MEMORY_BUDGET(
      "bg3.memory.budget",
      Kind.BYTES,
      "0",
      "0, or 8m and more",
      "Bytes that the store may use outside the heap and for its page table: pages, large values"
          + " and pending log. A store takes all of it once it has read so much. 0 means half of"
          + " MaxDirectMemorySize, whose default is the size of the heap. A read or write that does"
          + " not fit fails, and no data is lost. BG3 refuses to open the store unless"
          + " MaxDirectMemorySize (BG3_DIRECT) is at least one and a half times the budget plus 16"
          + " MiB. With bg3.io.reads above 16, 8 MiB and 512 KiB for each of these reads replace"
          + " the 16 MiB."),
  TOPOLOGY_FIRST(
      "bg3.memory.topology-first",
      Kind.CHOICE,
      "true",
      "true | false",
      "What BG3 evicts first when memory is short. true: the properties of edges, which neighbour"
          + " scans do not read, and the edges later. A neighbour scan loads a page without"
          + " properties. false: BG3 loads and evicts a page as a whole; this is for comparisons."),
  PAGE_CAPACITY(
      "bg3.page.capacity",
      Kind.BYTES,
      "16k",
      "512 to 64k",
      "Largest size of a page in bytes; a larger page is split."),
  PAGE_CONSOLIDATE(
      "bg3.page.consolidate",
      Kind.COUNT,
      "10",
      "1 to 1000",
      "The number of entries that a page's delta may hold. BG3 merges a page with a larger delta"
          + " into a new base."),
  VALUE_THRESHOLD(
      "bg3.value.threshold",
      Kind.BYTES,
      "1k",
      "64 to 4k",
      "Values above this many bytes are stored outside of the pages, in VALUE extents. At"
          + " most a quarter of bg3.page.capacity."),
  COMPRESSION_BASE(
      "bg3.compression.base",
      Kind.CHOICE,
      "lz4",
      "none | packed | lz4 | zstd | zstd:1 to zstd:19",
      "How the base images of pages are compressed on the disk. packed: the columns of a page are"
          + " stored in as few bits as their numbers need. lz4, zstd: the packed page is compressed"
          + " as well. zstd is smaller and slower, and may be followed by a level (default 1). The"
          + " setting applies to images that are written. A store opens with any setting, because"
          + " each image says how to read it. Pages in memory are not compressed."),
  COMPRESSION_DELTA(
      "bg3.compression.delta",
      Kind.CHOICE,
      "lz4",
      "none | packed | lz4 | zstd | zstd:1 to zstd:19",
      "How the delta images of pages, which hold the changes since the base image, are"
          + " compressed on the disk. The values are those of bg3.compression.base."),
  COMPRESSION_VALUE(
      "bg3.compression.value",
      Kind.CHOICE,
      "lz4",
      "none | lz4 | zstd | zstd:1 to zstd:19",
      "How the values above bg3.value.threshold are compressed on the disk."),
  EXTENT_SIZE(
      "bg3.extent.size",
      Kind.BYTES,
      "16m",
      "64k to 128m",
      "Bytes of an extent, the unit in which BG3 allocates and frees disk space. Each"
          + " extent is a file: with larger extents a store of many terabytes needs fewer open"
          + " files."),
  EXTENT_FILES(
      "bg3.extent.files",
      Kind.COUNT,
      "0",
      "0, or 16 to 1048576",
      "Extent files that may stay open. A read from another file opens it first. 0 means a"
          + " sixth of the files that the process may open (ulimit -n), at most 65536."),
  IO_DIRECT(
      "bg3.io.direct",
      Kind.CHOICE,
      "true",
      "true | false",
      "Whether BG3 reads pages and large values past the system's cache (O_DIRECT), so that"
          + " bg3.memory.budget is all the memory that caches them. If the file system has no"
          + " direct reads, the reads go through the cache, and the log says so once."),
  IO_READS(
      "bg3.io.reads",
      Kind.COUNT,
      "8",
      "1 to 64",
      "Pages or large values that BG3 reads from the disk concurrently for one hop of a traversal,"
          + " one commit, or another group of reads. 1: one after the other. The store has as many"
          + " threads for these reads, for all groups together."),
  RECLAIM_AMPLIFICATION(
      "bg3.reclaim.max-space-amplification",
      Kind.RATIO,
      "1.5",
      "0, or 1.1 to 100",
      "Bytes that the extents of pages (BASE and DELTA), and those of large values (VALUE), may"
          + " take for each live byte in them. Above this ratio, BG3 copies the live records out of"
          + " the extents with the most garbage and deletes these extents. A smaller ratio saves"
          + " space and writes more. Extents to which BG3 appends, and the bytes that one"
          + " checkpoint appends, do not count. In a store without writes for five seconds, BG3"
          + " continues to three fifths of the excess, 1.3 for 1.5. 0: BG3 deletes an extent only"
          + " when nothing in it is live."),
  RECLAIM_POLICY(
      "bg3.reclaim.policy",
      Kind.CHOICE,
      "cost-benefit",
      "cost-benefit | mdc | dirty | paper | fifo",
      "Which extents BG3 empties first. cost-benefit: the extents that free the most for each byte"
          + " copied, the more so the slower their garbage grows. mdc: the extents in which waiting"
          + " gains the least. dirty: the extents with the highest share of garbage. paper: of the"
          + " extents with some garbage, the quarter that gains garbage most slowly, those with the"
          + " highest share first. fifo: the oldest extents."),
  LOG_LIMIT(
      "bg3.log.limit",
      Kind.BYTES,
      "256m",
      "256k and more",
      "A checkpoint starts when the log has grown by this many bytes. BG3 throttles commits that"
          + " arrive faster than the checkpoint is written, so that the log stays below twice this"
          + " size. BG3 reuses or deletes the segments before the checkpoint, and keeps up to this"
          + " size of them while the store is open."),
  CHECKPOINT_PACED(
      "bg3.checkpoint.paced",
      Kind.CHOICE,
      "true",
      "true | false",
      "Whether a checkpoint spreads its writes, so that synced commits do not wait behind them."
          + " true: the writes take the time in which the log uses up half of its room beyond"
          + " bg3.log.limit, 30 seconds at most. The checkpoint writes as fast as the disk allows"
          + " while a commit, a request for memory or the closing of the store waits. false: it"
          + " always writes as fast as the disk allows."),
  LOG_SEGMENT_MIN(
      "bg3.log.segment.min",
      Kind.BYTES,
      "1m",
      "64k to 64m",
      "Bytes of the first segment of the log, a power of two. Each next segment is twice as"
          + " large."),
  LOG_SEGMENT_MAX(
      "bg3.log.segment.max",
      Kind.BYTES,
      "16m",
      "64k to 1g",
      "Bytes of the largest segment of the log, a power of two. A segment is at most a quarter of"
          + " bg3.log.limit."),
  INIT_TREES(
      "bg3.init.trees",
      Kind.COUNT,
      "4",
      "1 to 256",
      "Number of INIT trees, the shared trees that hold the edges of ordinary vertices. A hash of"
          + " the vertex chooses the tree. The number is fixed when a store is created."),
  SPLIT_OUT(
      "bg3.forest.split-out",
      Kind.COUNT,
      "512",
      "0, or 8 to 2147483647",
      "A vertex with more edge entries than this moves from its INIT tree to a dedicated tree, in"
          + " the background, when its leaves are consolidated. A minute after an opening, BG3"
          + " begins to search all leaves for existing vertices of this size. A vertex that has"
          + " moved stays in its tree until it has no edges any more. 0: no vertex moves."),
  COUNTED_LEAVES(
      "bg3.forest.counted-leaves",
      Kind.COUNT,
      "32",
      "2 to 2147483647",
      "From so many leaves of its dedicated tree on, BG3 keeps the numbers of a vertex's edges, for"
          + " each label and direction. Then a count of edges reads a number and not the leaves,"
          + " and a commit to the vertex takes up to twice the time. Numbers that are kept stay"
          + " until the tree goes."),
  INIT_LIMIT(
      "bg3.forest.init-limit",
      Kind.BYTES,
      "0",
      "0, or at least 64k",
      "Bytes that the leaves of one INIT tree may take in memory, estimated from the leaves in"
          + " memory. From a larger tree, the vertices with the most edge entries move to dedicated"
          + " trees if they have more than an eighth of bg3.forest.split-out. 0: no limit. The"
          + " setting has no effect if bg3.forest.split-out is 0."),
  FAMILIES(
      "bg3.families",
      Kind.TEXT,
      "",
      "families separated by semicolons, each NAME: SETTING=VALUE, SETTING=VALUE",
      "Families of edge labels that BG3 defines when it opens the store, unless they exist: names,"
          + " each with settings of its own. ttl: milliseconds until an edge expires."
          + " page-capacity, consolidate: as bg3.page.capacity and bg3.page.consolidate."
          + " compression: as bg3.compression.base, for base and delta images. For these, an absent"
          + " setting is that of the store. split-out: a vertex with more entries in the family"
          + " moves to a dedicated tree for them, as with bg3.forest.split-out; if it is absent, no"
          + " vertex moves. An existing family keeps its settings, and the log has a warning if"
          + " they differ; call('bg3.families.change') changes them. Example: events: ttl=3600000,"
          + " page-capacity=32k; follows: compression=zstd, split-out=512."),
  STRIPES(
      "bg3.stripes",
      Kind.COUNT,
      "65536",
      "64 to 1048576, a power of two",
      "Number of lock stripes. A commit hashes keys to stripes."),
  GRAPH_IDS(
      "bg3.graph.ids",
      Kind.CHOICE,
      "canonical",
      "canonical | integer | string",
      "The classes in which ids of vertices appear. The stored ids do not depend on the setting,"
          + " and each form finds the vertex. canonical: Long, UUID or String. integer: a number is"
          + " an Integer if it fits, for programs written for TinkerGraph's toy graphs. string:"
          + " always a String, for programs written for stores with string ids only."),
  GRAPH_CARDINALITY(
      "bg3.graph.cardinality",
      Kind.CHOICE,
      "single",
      "single | list | set",
      "The cardinality of a property that is set without one. single: the new value replaces the"
          + " values of the key. list: BG3 adds the new value to them. set: BG3 adds the new value"
          + " unless it equals one of them.");

  /** How the text of a value is read. */
  public enum Kind {
    TEXT,
    CHOICE,
    BYTES,
    COUNT,
    MILLIS,
    RATIO
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

  /** The description of the setting, in sentences. */
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
