package io.bg3.core.graph;

/**
 * An edge label that was declared, with what is special about its edges. Belongs to the store that
 * gave it.
 *
 * <p>Threads: any.
 */
public final class EdgeLabel {
  private final String name;
  private final int code;
  private final EdgeLabelForm form;
  private final int sortKeyCode;

  /**
   * @param sortKeyCode code of the sort key's property, 0 without
   */
  EdgeLabel(String name, int code, EdgeLabelForm form, int sortKeyCode) {
    this.name = name;
    this.code = code;
    this.form = form;
    this.sortKeyCode = sortKeyCode;
  }

  /** The label. */
  public String name() {
    return name;
  }

  /** Its code in the dictionary. */
  public int code() {
    return code;
  }

  /** The declared form. */
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

  boolean isCounted() {
    return form.counted();
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

  @Override
  public String toString() {
    return "EdgeLabel[name=" + name + ", code=" + code + ", form=" + form + "]";
  }
}
