package io.bg3.storage.file;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Bytes of a file in pages that several versions share until one of them writes. A page that was
 * never written, or wholly zeroed, is null. Bytes behind the size are zero. Threads: one at a time
 * for all versions.
 */
final class SparsePages {
  private static final int PAGE = 4096;

  private byte[][] pages;
  private boolean[] owned;
  private long size;

  SparsePages() {
    this(new byte[1][], 0);
  }

  private SparsePages(byte[][] pages, long size) {
    this.pages = pages;
    this.owned = new boolean[pages.length];
    this.size = size;
  }

  /** A version of its own with the same bytes. */
  SparsePages fork() {
    Arrays.fill(owned, false);
    return new SparsePages(pages.clone(), size);
  }

  long size() {
    return size;
  }

  int read(ByteBuffer to, long position) {
    int total = (int) Math.max(0, Math.min(to.remaining(), size - position));
    for (int done = 0; done < total; ) {
      long at = position + done;
      int part = (int) Math.min(PAGE - at % PAGE, total - done);
      byte[] page = pages[(int) (at / PAGE)];
      to.put(page == null ? new byte[part] : page, page == null ? 0 : (int) (at % PAGE), part);
      done += part;
    }
    return total;
  }

  void write(long position, byte[] from, int offset, int length) {
    extend(position + length);
    for (int done = 0; done < length; ) {
      long at = position + done;
      int part = (int) Math.min(PAGE - at % PAGE, length - done);
      System.arraycopy(from, offset + done, own((int) (at / PAGE)), (int) (at % PAGE), part);
      done += part;
    }
  }

  /** Zeros what there is; does not extend. */
  void zero(long from, long to) {
    long end = Math.min(to, size);
    for (long at = from; at < end; ) {
      int part = (int) Math.min(PAGE - at % PAGE, end - at);
      int index = (int) (at / PAGE);
      if (pages[index] != null) {
        if (part == PAGE) {
          pages[index] = null;
        } else {
          int offset = (int) (at % PAGE);
          Arrays.fill(own(index), offset, offset + part, (byte) 0);
        }
      }
      at += part;
    }
  }

  /** Whether any byte of the range may be other than zero. */
  boolean used(long from, long to) {
    for (long at = from; at < Math.min(to, size); at = (at / PAGE + 1) * PAGE) {
      if (pages[(int) (at / PAGE)] != null) {
        return true;
      }
    }
    return false;
  }

  void extend(long newSize) {
    if (newSize > size) {
      int needed = Math.toIntExact((newSize + PAGE - 1) / PAGE);
      if (needed > pages.length) {
        int length = Math.max(needed, 2 * pages.length);
        pages = Arrays.copyOf(pages, length);
        owned = Arrays.copyOf(owned, length);
      }
      size = newSize;
    }
  }

  void truncate(long newSize) {
    if (newSize < size) {
      zero(newSize, size);
      size = newSize;
    }
  }

  private byte[] own(int index) {
    if (pages[index] == null) {
      pages[index] = new byte[PAGE];
    } else if (!owned[index]) {
      pages[index] = pages[index].clone();
    }
    owned[index] = true;
    return pages[index];
  }
}
