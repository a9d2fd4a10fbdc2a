package io.bg3.core.keyspace;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.page.PageRead;
import io.bg3.core.tree.LeafSource;
import io.bg3.core.tree.ReadTally;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects that one thread uses again for look-ups and scans, in every transaction: views of
 * pages and columns to copy into, which are most of what a short transaction would allocate.
 * Nothing in it outlives a call, but for columns and large values, which a scan takes and gives
 * back when it ends, on any thread.
 */
public final class ReadBuffers {
  private static final int MOST = 4;

  /** For the reads of trees. */
  public final PageRead read = new PageRead();

  /** Counts what the thread reads. */
  public final ReadTally tally = ReadTally.ofThread();

  /** The key of an edge, without a sort key. */
  public final byte[] edgeKey = new byte[EdgeKey.LENGTH];

  private ScannedValues large;
  private final List<Entries> edges = new ArrayList<>(MOST);
  private final List<Entries> bytes = new ArrayList<>(MOST);

  /** Columns for entries of this source, which has the keys of the space. */
  public Entries take(int space, LeafSource source) {
    List<Entries> spare = of(space);
    return spare.isEmpty() ? source.newEntries() : spare.remove(spare.size() - 1);
  }

  /** Takes columns back, of any thread, that nobody reads any more. */
  public void give(int space, Entries columns) {
    List<Entries> spare = of(space);
    if (!columns.isLarge() && spare.size() < MOST) {
      spare.add(columns);
    }
  }

  /** For the large values of a scan, or of a group of look-ups. */
  ScannedValues takeLarge() {
    ScannedValues taken = large == null ? new ScannedValues() : large;
    large = null;
    taken.begin();
    return taken;
  }

  /** Takes back what has held large values, of any thread, that nobody reads any more. */
  void giveLarge(ScannedValues values) {
    values.begin(); // the values go
    large = values;
  }

  private List<Entries> of(int space) {
    return space == KeySpace.EDGES ? edges : bytes;
  }
}
