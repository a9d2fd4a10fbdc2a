package io.bg3.core.page;

import io.bg3.core.block.PageFrame;
import io.bg3.core.entry.Entries;

/** Pieces of entries on the heap. */
final class EntryPieces implements LeafPieces {
  private final LeafFormat format;
  private final Entries entries;
  private final int[] cuts;

  EntryPieces(LeafFormat format, Entries entries, int... cuts) {
    this.format = format;
    this.entries = entries;
    this.cuts = cuts;
  }

  @Override
  public int count() {
    return cuts.length - 1;
  }

  @Override
  public byte[] low(int piece) {
    return piece == 0 ? null : format.separator(entries, cuts[piece]);
  }

  @Override
  public long write(int piece, PageFrame frame, long cut) {
    return format.writeBase(frame, entries, cuts[piece], cuts[piece + 1], cut);
  }
}
