package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.PageImage;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Reads the stored images of pages: base and delta, the base alone, or as much of the base as the
 * topology of a leaf of edges is likely to take ({@link TopologyShare}).
 *
 * <p>Images lie in a buffer of the thread that reads them, until it reads others.
 *
 * <p>Threads: any, outside of epochs.
 */
final class ImageReader {
  /** Images of both kinds of a page of the default capacity fit with room to spare. */
  private static final int LEAST_BUFFER = 64 << 10;

  /** Enough for pages of the largest capacity; larger images are read through the heap. */
  private static final int MOST_BUFFER = 512 << 10;

  /**
   * The buffer through which a thread reads images: outside of the heap, where the kernel puts
   * bytes without another copy, and where the views of pages look at all other bytes too.
   */
  private static final ThreadLocal<ByteBuffer> BUFFERS =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(LEAST_BUFFER));

  private final PageTable table;
  private final ExtentStore extents;
  private final TopologyShare topologies = new TopologyShare();

  ImageReader(PageTable table, ExtentStore extents) {
    this.table = table;
    this.extents = extents;
  }

  /** The sizes that the topology of images has had, by which the next ones are guessed. */
  TopologyShare topologies() {
    return topologies;
  }

  /**
   * The stored images of a page, valid until the thread reads others.
   *
   * @param base all of it, or up to its topology's end or further
   */
  record Images(ExtentRecord base, ByteBuffer delta, String source) {
    /** Whether only the beginning of the base was read. */
    boolean isPart() {
      return base.payload().remaining() < PageImage.storedBytes(base.payload());
    }

    /** Bytes of the images in extents. */
    long storedBytes() {
      return PageImage.storedBytes(base.payload()) + (delta == null ? 0 : delta.remaining());
    }

    /** Bytes that the images take in memory. */
    long bytes() {
      return PageImage.plainBytes(base.payload())
          + (delta == null ? 0 : PageImage.plainBytes(delta));
    }
  }

  /**
   * The stored images of a page.
   *
   * <p>An extent that is not there is damage only if the page's row still names it: the row may
   * have changed, and the extent been deleted, between reading the one and opening the other.
   *
   * @throws CorruptionException if they are damaged
   * @throws UncheckedIOException if they cannot be read
   */
  Images read(int page, PageLoader.Part part) {
    while (true) {
      PageRow row = table.row(page);
      String source = "page " + page + " at " + Location.toString(row.base());
      try {
        return images(row, part, source);
      } catch (NoSuchExtentException e) {
        if (row.equals(table.row(page))) {
          CorruptionException damage =
              new CorruptionException(
                  source, 0, "an extent that the manifest names", e.getMessage());
          damage.addSuppressed(e);
          throw damage;
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + source, e);
      }
    }
  }

  /** Adds the sizes of the stored images of a page, if it has any that can be read. */
  void addSizes(int page, ImageSizes sizes) {
    PageRow row = table.row(page);
    if (row.base() == Location.NONE) {
      return;
    }
    try {
      Images images = images(row, PageLoader.Part.ALL, "page " + page);
      sizes.add(Stream.BASE, images.base.payload());
      if (images.delta != null) {
        sizes.add(Stream.DELTA, images.delta);
      }
    } catch (NoSuchExtentException | UnreadableException | IOException e) {
      return; // moved meanwhile, or damaged
    }
  }

  private Images images(PageRow row, PageLoader.Part part, String source) throws IOException {
    ByteBuffer buffer = buffer(recordBytes(row));
    ExtentRecord stored =
        part == PageLoader.Part.TOPOLOGY
            ? topologyImage(row.base(), buffer)
            : counted(extents.read(row.base(), buffer));
    boolean isPlain = part == PageLoader.Part.BASE || row.delta() == Location.NONE;
    ByteBuffer over = isPlain ? null : deltaImage(row.delta(), buffer, row.base());
    return new Images(stored, over, source);
  }

  /**
   * Reads the image of a base up to the end of its topology, if it is one of a leaf of edges. How
   * far that is, only the image tells; so this reads as far as the topology of most others went,
   * and reads again where that was not far enough.
   */
  private ExtentRecord topologyImage(long location, ByteBuffer buffer) throws IOException {
    long all = Location.bytes(location);
    int guess = topologies.guess(all);
    ExtentRecord first = extents.readFirst(location, guess, buffer);
    if (first == null) {
      ReadTally.ofThread().addDeviceReads(1, guess);
      topologies.refused();
      return counted(extents.read(location, buffer));
    }
    ByteBuffer image = counted(first).payload();
    long needed = PageImage.storedBytes(image);
    if (first.kind() == PageHeader.EDGE_LEAF) {
      needed = PageImage.topologyBytes(image);
      topologies.add(needed, all);
    }
    return needed <= image.remaining()
        ? first
        : counted(extents.readFirst(location, (int) Math.min(needed, all), buffer));
  }

  /** The images of a page that cannot be loaded without its values: all of them. */
  Images whole(int page, Images part) {
    if (!part.isPart()) {
      return part;
    }
    topologies.refused();
    try {
      // the image of the delta is behind the place of the whole base in the buffer
      ExtentRecord base = counted(extents.read(part.base.location(), BUFFERS.get().clear()));
      return new Images(base, part.delta, part.source);
    } catch (NoSuchExtentException e) {
      return read(page, PageLoader.Part.ALL); // moved meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + part.source, e);
    }
  }

  private static ExtentRecord counted(ExtentRecord read) {
    ReadTally.ofThread().addDeviceReads(1, read.payload().remaining());
    return read;
  }

  /** The thread's buffer, with room for so many bytes if they are not too many. */
  private static ByteBuffer buffer(long bytes) {
    ByteBuffer buffer = BUFFERS.get();
    if (bytes > buffer.capacity() && bytes <= MOST_BUFFER) {
      buffer = ByteBuffer.allocateDirect(Integer.highestOneBit((int) bytes - 1) << 1);
      BUFFERS.set(buffer);
    }
    return buffer.clear();
  }

  /** Bytes of the images that a row names, in extents. */
  static long recordBytes(PageRow row) {
    return Location.bytes(row.base())
        + (row.delta() == Location.NONE ? 0 : Location.bytes(row.delta()));
  }

  private ByteBuffer deltaImage(long delta, ByteBuffer buffer, long base) throws IOException {
    buffer.position((int) Math.min(buffer.limit(), Location.bytes(base)));
    return counted(extents.read(delta, buffer)).payload();
  }
}
