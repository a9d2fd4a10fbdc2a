package io.bg3.core.sort;

import java.io.IOException;
import java.util.List;

/**
 * Several sorted sequences as one. Entries with equal keys come in the order of their sequences.
 * Belongs to one thread.
 *
 * <p>The sequences that have entries left stand in a binary heap, the one with the smallest entry
 * on top.
 */
final class RunMerge implements SortedEntries {
  private final SortedEntries[] runs;
  private final int[] heap; // positions in runs
  private int size;
  private boolean begun;

  RunMerge(List<? extends SortedEntries> runs) {
    this.runs = runs.toArray(SortedEntries[]::new);
    this.heap = new int[this.runs.length];
  }

  @Override
  public boolean next() throws IOException {
    if (!begun) {
      begin();
    } else if (size > 0) {
      if (!runs[heap[0]].next()) {
        heap[0] = heap[--size];
      }
      siftDown(0);
    }
    return size > 0;
  }

  private void begin() throws IOException {
    begun = true;
    for (int run = 0; run < runs.length; run++) {
      if (runs[run].next()) {
        heap[size++] = run;
      }
    }
    for (int at = size / 2 - 1; at >= 0; at--) {
      siftDown(at);
    }
  }

  private void siftDown(int from) {
    int at = from;
    int child = 2 * at + 1;
    while (child < size) {
      if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], heap[at])) {
        return;
      }
      int run = heap[at];
      heap[at] = heap[child];
      heap[child] = run;
      at = child;
      child = 2 * at + 1;
    }
  }

  private boolean isBefore(int run, int than) {
    int order = SortedEntries.compare(runs[run], runs[than]);
    return order < 0 || (order == 0 && run < than);
  }

  @Override
  public long owner() {
    return runs[heap[0]].owner();
  }

  @Override
  public int tagLabel() {
    return runs[heap[0]].tagLabel();
  }

  @Override
  public long other() {
    return runs[heap[0]].other();
  }

  @Override
  public byte[] value() {
    return runs[heap[0]].value();
  }
}
