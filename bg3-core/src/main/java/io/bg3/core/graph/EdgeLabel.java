package io.bg3.core.graph;

/**
 * An edge label that was declared, with what is special about its edges. Belongs to the store that
 * gave it.
 *
 * <p>Threads: any. Its form changes if the label becomes counted, under the exclusive gate.
 */
public final class EdgeLabel {
  /** Stands for the stamp from which on counters are read where there is none yet. */
  private static final long NEVER = -1;

  private final String name;
  private final int code;
  private final int sortKeyCode;
  private volatile EdgeLabelForm form;
  private volatile long readySince;
  private volatile long keptSince;

  /**
   * @param sortKeyCode code of the sort key's property, 0 without
   * @param building whether the form is counted and some vertices may lack their counters
   */
  EdgeLabel(String name, int code, EdgeLabelForm form, int sortKeyCode, boolean building) {
    this.name = name;
    this.code = code;
    this.form = form;
    this.sortKeyCode = sortKeyCode;
    this.readySince = form.counted() && !building ? 0 : NEVER;
  }

  /** The label. */
  public String name() {
    return name;
  }

  /** Its code in the dictionary. */
  public int code() {
    return code;
  }

  /** The declared form; that of a label that is becoming counted is counted. */
  public EdgeLabelForm form() {
    return form;
  }

  int sortKeyCode() {
    return sortKeyCode;
  }

  boolean isOrdered() {
    return sortKeyCode != 0;
  }

  boolean isLoose() {
    return form.loose();
  }

  /** Whether commits keep counters of its edges, though some vertices may have none yet. */
  boolean keepsCounters() {
    return form.counted();
  }

  /**
   * Whether the counters have the numbers of its edges.
   *
   * @param snapshot at which they are read; the largest number for what was applied last
   */
  boolean isCounted(long snapshot) {
    long since = readySince();
    return since != NEVER && snapshot >= since;
  }

  private long readySince() {
    return readySince;
  }

  /** Whether the counters are being built. */
  boolean isBuilding() {
    return form.counted() && readySince == NEVER;
  }

  /** The number of labels that had become counted when this one did; 0 if it was declared so. */
  long keptSince() {
    return keptSince;
  }

  /** Says that commits keep counters from now on; the caller has the gate. */
  void keepCounters(long since) {
    keptSince = since;
    form = form.asCounted();
  }

  /** Says that snapshots from a stamp on find all counters. */
  void ready(long stamp) {
    readySince = stamp;
  }

  /** Whether its edges expire. */
  boolean hasTtl() {
    return form.ttlMillis() > 0;
  }

  boolean isDescending() {
    return form.order() == SortOrder.DESCENDING;
  }

  /**
   * The number that stands in keys for a sort key, and the way back: what comes first has the
   * smallest.
   */
  long sorted(long sortKey) {
    return isDescending() ? ~sortKey : sortKey;
  }

  /** Tag and label of the entries that stand for its visible edges under their source. */
  int visibleEntries() {
    return isOrdered() ? EdgeTags.index(code) : EdgeTags.out(code);
  }

  @Override
  public String toString() {
    return "EdgeLabel[name=" + name + ", code=" + code + ", form=" + form + "]";
  }
}
