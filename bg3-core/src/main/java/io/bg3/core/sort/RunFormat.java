package io.bg3.core.sort;

import io.bg3.storage.format.Varints;

/**
 * The files of a run: sorted edge entries, in files that are read once, by the process that wrote
 * them, and deleted then. So the format has no version.
 *
 * <pre>
 *  file    frames, one behind the other
 *  frame   offset  size  field
 *               0     4  length    of the entries, in bytes, 1 or more; little-endian
 *               4     4  checksum  CRC32C of the entries; little-endian
 *               8     …  entries
 *  entry   varint         owner, less that of the entry before it
 *          varint         tag and label, with the tag in the lowest bits
 *          varint         other end, less that of the entry before it, if owner, tag and label are
 *                         equal; else zigzag varint: other end
 *          varint         how many of its first bytes the value has in common with the last value
 *                         before it that has any
 *          varint         how many bytes follow
 *          …              the rest of the value
 * </pre>
 *
 * <p>The first entry of a frame counts as one behind an entry of owner 0 with another label, and no
 * value.
 */
final class RunFormat {
  static final int CHECKSUM = Integer.BYTES;
  static final int ENTRIES = CHECKSUM + Integer.BYTES;

  /** A frame with so many bytes of entries takes no more. */
  static final int FRAME_BYTES = 1 << 16;

  /** A file with so many frames takes no more. */
  static final int FRAMES = 16;

  /** The most bytes of an entry without its value: five numbers. */
  static final int ENTRY_BYTES = 5 * Varints.MAX_BYTES;

  /** The value before the first one of a frame. */
  static final byte[] NO_VALUE = {};

  private static final int TAG_BITS = 2;

  private RunFormat() {}

  /** Tag and label as a small number. */
  static int fold(int tagLabel) {
    return Integer.rotateLeft(tagLabel, TAG_BITS);
  }

  static int unfold(int folded) {
    return Integer.rotateRight(folded, TAG_BITS);
  }
}
