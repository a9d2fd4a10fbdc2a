package io.bg3.core.graph;

/**
 * A property index as it is at one moment.
 *
 * @param of what it is of
 * @param unique whether no two of its elements have a value, or a combination of values, in common
 * @param ordered whether it answers ranges of dates, times, booleans, chars and UUIDs; not one that
 *     an earlier release has made: drop it and create it again
 * @param state what it is in
 * @param done how many elements have been read for it while it is built, or how many entries have
 *     been removed while it is dropped, since the store was opened
 * @param problem why building or dropping has stopped until the store is opened again; null if it
 *     has not
 */
public record IndexStatus(
    IndexedKeys of, boolean unique, boolean ordered, IndexState state, long done, String problem) {
  /** Whether it is still built or removed; false if that is done, or has stopped at a problem. */
  public boolean isWorking() {
    return state != IndexState.READY && problem == null;
  }
}
