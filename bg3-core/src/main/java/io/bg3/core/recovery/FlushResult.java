package io.bg3.core.recovery;

import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.tree.PageFlush;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The changes that the flush of a checkpoint made: rows of the page table, and images that the next
 * manifest will not name.
 */
final class FlushResult implements PageFlush.Result {
  private final Map<Integer, PageMap.Row> rows = new TreeMap<>();
  private final List<Long> superseded = new ArrayList<>();
  private final ValueReferences values;

  FlushResult(ValueReferences values) {
    this.values = values;
  }

  @Override
  public void stored(int page, long base, long delta, LargeValueLocations references) {
    rows.put(page, new PageMap.Row(base, delta));
    values.replace(page, references);
  }

  @Override
  public void superseded(long location) {
    superseded.add(location);
  }

  /** Notes that an image is superseded, if there is one. */
  void supersede(long location) {
    if (location != 0) {
      superseded.add(location);
    }
  }

  Map<Integer, PageMap.Row> rows() {
    return rows;
  }

  List<Long> superseded() {
    return superseded;
  }
}
