package io.bg3.core.graph;

/**
 * An edge label that was declared, with what is special about its edges. Belongs to the store that
 * gave it.
 *
 * <p>Threads: any. Its form changes if the label becomes counted or ordered, under the exclusive
 * gate.
 */
public final class EdgeLabel {
  /** Stands for the stamp from which on counters are read where there is none yet. */
  private static final long NEVER = -1;

  private final String name;
  private final int code;
  private final int sortKeyCode;
  private volatile EdgeLabelForm form;
  private volatile AddedOrder added;
  private volatile long readySince;
  private volatile long keptSince;

  /**
   * @param sortKeyCode code of the property by which it was ordered before its first edge, 0 for
   *     none
   * @param building whether the form is counted and some vertices may lack their counters
   * @param added the order that it has got later; null for none
   */
  EdgeLabel(
      String name,
      int code,
      EdgeLabelForm form,
      int sortKeyCode,
      boolean building,
      AddedOrder added) {
    assert sortKeyCode == 0 || added == null : "one order: label=" + name;
    this.name = name;
    this.code = code;
    this.form = form;
    this.sortKeyCode = sortKeyCode;
    this.added = added;
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

  /** The declared form; that of a label that is becoming counted or ordered is so. */
  public EdgeLabelForm form() {
    return form;
  }

  /** Code of the property by which it is ordered, or is becoming so; 0 for none. */
  int sortKeyCode() {
    AddedOrder now = added;
    return now == null ? sortKeyCode : now.sortKeyCode();
  }

  /**
   * Whether the entries in its order are the ones that hold the records of its edges, as those of a
   * label do that was ordered before its first edge.
   */
  boolean isOrdered() {
    return sortKeyCode != 0;
  }

  /** The order that it has got when it had edges, or is getting; null if it has none such. */
  AddedOrder added() {
    return added;
  }

  /** Whether there are links with this label: each of its edges has a sort key. */
  boolean takesLinks() {
    AddedOrder now = added;
    return isOrdered() || (now != null && now.isKept());
  }

  /**
   * Whether the edges of a vertex can be read in the order of the label. A label that has become
   * ordered when it had edges is read so once all of them stand in the order.
   *
   * @param snapshot at which they are read; the largest number for what was applied last
   */
  public boolean isSorted(long snapshot) {
    AddedOrder now = added;
    return isOrdered() || (now != null && now.isReady(snapshot));
  }

  /** Says how far an order is that was added; the caller has the gate, unless it becomes ready. */
  void setAdded(AddedOrder order, EdgeLabelForm ordered) {
    form = ordered;
    added = order;
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
