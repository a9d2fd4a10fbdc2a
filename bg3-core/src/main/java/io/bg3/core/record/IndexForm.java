package io.bg3.core.record;

/**
 * How the entries of a property index have its values ({@link IndexValue}).
 *
 * @param exact whether a value is whole and different values have different bytes, as in a unique
 *     index of one key
 * @param ordered whether booleans, chars, UUIDs, dates and times are in their order ({@link
 *     OrderedValue}), so that the index answers ranges of them; else they are as properties have
 *     them, and it answers equality alone
 */
public record IndexForm(boolean exact, boolean ordered) {
  /** The form of values that are not exact, since others follow or they may be cut. */
  public IndexForm inexact() {
    return new IndexForm(false, ordered);
  }
}
