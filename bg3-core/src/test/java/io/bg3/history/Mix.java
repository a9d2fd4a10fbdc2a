package io.bg3.history;

/**
 * The mix of operations in the transactions of a load: how many of all are of each kind.
 *
 * @param keys how many keys of each kind are in use at a time; few keys make many conflicts
 * @param appendsPerKey how many operations a key sees before another takes its place, about
 * @param operations most operations of a transaction
 * @param bound how many members a bounded group or count may get
 */
public record Mix(
    int keys,
    int appendsPerKey,
    int operations,
    int bound,
    int read,
    int append,
    int range,
    int add,
    int readSet,
    int setRange,
    int boundedInsert,
    int boundedCount) {

  /** Lists only: reads and appends. */
  public static Mix lists() {
    return new Mix(16, 32, 4, 8, 50, 50, 0, 0, 0, 0, 0, 0);
  }

  /** Everything, on few keys. */
  public static Mix everything() {
    return new Mix(12, 24, 4, 8, 20, 20, 6, 15, 15, 4, 10, 10);
  }

  /** Inserts that look at a range before, and full scans. */
  public static Mix phantoms() {
    return new Mix(8, 24, 3, 6, 5, 5, 20, 10, 5, 15, 40, 0);
  }

  /** Inserts that look at a total before. */
  public static Mix totals() {
    return new Mix(4, 24, 2, 6, 10, 10, 0, 10, 10, 0, 0, 60);
  }

  int total() {
    return read + append + range + add + readSet + setRange + boundedInsert + boundedCount;
  }
}
