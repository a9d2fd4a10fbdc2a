package io.bg3.core.limit;

/**
 * Every limit of a store, with its reason. Each is checked before anything is logged, with a {@link
 * LimitExceededException}; {@code docs/limits.md} shows them as a table, and a test holds the two
 * together.
 *
 * <p>A limit may be raised in a later version and is not lowered without need: a store may hold
 * what was allowed when it was written. Opening and reading check what the formats hold, not these.
 */
public enum Limit {
  NAME_BYTES(
      "a label, property key or name of a graph variable is too long",
      1_024,
      "bytes of UTF-8",
      "Labels and property keys are kept in memory while the store is open, and the name of a"
          + " variable is the key of its entry."),
  ID_BYTES(
      "an id is too long",
      1_024,
      "bytes of UTF-8",
      "An id that is a text is the key of the entry that leads to its vertex or edge."),
  VALUE_BYTES(
      "a value is too large",
      64 << 20,
      "bytes, encoded",
      "A value is read and written as a whole, and a commit needs it on the heap several times."
          + " This bounds the length of a string or array and the elements of a list, set or map as"
          + " well."),
  VALUE_DEPTH(
      "collections are nested too deep",
      32,
      "levels of collections",
      "A value is encoded and decoded by recursion, whose stack must not depend on the data."),
  VERTEX_LABELS(
      "a vertex has too many labels",
      4_096,
      "labels",
      "The labels of a vertex are searched from the first to the last."),
  VERTEX_PROPERTIES(
      "a vertex has too many properties",
      1_000_000,
      "properties",
      "The properties of a vertex are one record, which is read and written as a whole."),
  PROPERTY_NUMBER(
      "a vertex has had too many properties",
      Integer.MAX_VALUE - 1,
      "properties that were ever set, also those that were removed",
      "Each property gets a number of 31 bits within its vertex. No number is used again."),
  META_PROPERTIES(
      "a vertex property has too many meta-properties",
      4_096,
      "meta-properties",
      "The meta-properties of a property are searched from the first to the last."),
  EDGE_PROPERTIES(
      "an edge has too many properties",
      4_096,
      "properties",
      "The properties of an edge are searched from the first to the last."),
  PARALLEL_EDGES(
      "there were too many edges between two vertices",
      Integer.MAX_VALUE,
      "as the number of an edge, from 0, among the edges with its source, label and target",
      "A new edge gets the highest number plus one, in 31 bits. Lower numbers that removals left"
          + " free are not used again."),
  CODES(
      "there are too many labels or property keys",
      (1 << 29) - 1,
      "vertex labels, edge labels and property keys each",
      "The key of an edge has 29 bits for the label. One more bit says whether the label has a time"
          + " to live, and two are the direction."),
  TTL_LABELS(
      "there are too many edge labels for another with a time to live or family",
      (1 << 20) - 1,
      "edge labels of any kind, when a label with a time to live or a family is declared",
      "The number of such a label has 20 bits: 8 other bits say with which labels it shares trees,"
          + " and one says whether its edges expire."),
  FAMILIES(
      "there are too many families of edge labels",
      255,
      "families with a name, and times to live of edge labels without one",
      "The number of a family is 8 bits of the key of an edge. Labels with a time to live and"
          + " without a family share trees with others when all numbers are taken."),
  COUNTER(
      "a counter is too large",
      Long.MAX_VALUE,
      "as the sum that one transaction adds to a counter",
      "Counters have 63 bits and a sign."),
  INDEXES(
      "there are too many property indexes",
      64,
      "property indexes, including those that are being dropped",
      "Every commit that changes a vertex reads the definitions of all indexes."),
  INDEX_KEYS(
      "a property index has too many keys",
      4,
      "property keys of one index",
      "The entry of an element has a value for each key."),
  SCHEMAS(
      "there are too many schemas",
      1_000,
      "labels with a schema",
      "Schemas are kept in memory while the store is open."),
  SCHEMA_KEYS(
      "a schema has too many keys",
      1_000,
      "property keys of one schema",
      "Every commit that changes an element checks all rules of its label."),
  SCHEMA_ENDS(
      "a schema has too many labels of ends",
      1_000,
      "vertex labels that a schema of edges allows, sources and targets together",
      "The labels are kept in memory while the store is open."),
  KEY_BYTES(
      "a key is too long",
      4_096,
      "bytes",
      "A key has to fit into a leaf and into the inner pages of its tree. No key of the graph is"
          + " longer; the limit is for applications that write keys of their own."),
  ENTRY_BYTES(
      "an entry is too large",
      80 << 20,
      "bytes of the record of a vertex or an edge with its properties",
      "A record is read and written as a whole. The limit leaves room for one value of the largest"
          + " size and 16 MiB more. Values of a vertex above 1,024 bytes are entries of their"
          + " own."),
  COMMIT_ENTRIES(
      "a transaction has too many writes",
      1 << 23,
      "entries: one for a vertex, two for an edge, one for each counter and each id that is a text"
          + " or belongs to an edge",
      "All entries may go to one page, which holds 2^24."),
  COMMIT_BYTES(
      "a transaction writes too much",
      512 << 20,
      "bytes of its log record",
      "A commit is one log record, built on the heap before it is written. A quarter of"
          + " bg3.memory.budget limits the commit too; values above bg3.value.threshold do not"
          + " count there."),
  BATCH_OPERATIONS(
      "a message to bg3.batch has too many operations",
      1_024,
      "operations",
      "One thread executes the operations of a message, one after the other.");

  private final String what;
  private final long most;
  private final String unit;
  private final String reason;

  Limit(String what, long most, String unit, String reason) {
    this.what = what;
    this.most = most;
    this.unit = unit;
    this.reason = reason;
  }

  /** The largest number that is allowed. */
  public long most() {
    return most;
  }

  /** The beginning of the message for a value above the limit. */
  public String what() {
    return what;
  }

  /** The unit of the limit. */
  public String unit() {
    return unit;
  }

  /** Why there is this limit, in sentences. */
  public String reason() {
    return reason;
  }

  /**
   * Checks a number against the limit.
   *
   * @throws LimitExceededException if it is above
   */
  public void check(long given) {
    if (given > most) {
      throw exceeded(given, "");
    }
  }

  /**
   * The exception for a number above the limit.
   *
   * @param where what it was given for, for people; empty if there is nothing to say
   */
  public LimitExceededException exceeded(long given, String where) {
    return new LimitExceededException(this, given, where);
  }
}
