package io.bg3.core.page;

import io.bg3.core.block.PageFrame;

/**
 * The entries of a page that is too large, cut into pieces that are ready to be written, each as
 * the base of a page that has nothing stored. Belongs to one thread, until that looks at another
 * page.
 */
public interface LeafPieces {
  /** Number of pieces; 1 if what need not be kept for a stored base made it too large. */
  int count();

  /** The bound between a piece and the one before it; null for the first. */
  byte[] low(int piece);

  /**
   * Writes a piece.
   *
   * @param cut of the pruning that the entries came from
   * @return its address
   */
  long write(int piece, PageFrame frame, long cut);
}
