package io.bg3.storage.manifest;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The manifest of a store that is open for writing.
 *
 * <p>A replacement takes these steps; before step 4 a crash leaves the old manifest, after step 5
 * the new one, between them either, each of them complete:
 *
 * <ol>
 *   <li>what an interrupted replacement left as {@code manifest.new} is deleted,
 *   <li>{@code manifest.new} is written
 *   <li>and synced,
 *   <li>it is renamed to {@code manifest},
 *   <li>the directory is synced.
 * </ol>
 *
 * <p>A replacement that fails is final: which of the two manifests a crash would leave is not
 * known, so nothing that either of them names may be deleted, and every later replacement fails
 * with the first cause.
 *
 * <p>Threads: any; replacements run one after the other.
 */
public final class ManifestFile {
  /** The name of the file. */
  public static final String NAME = "manifest";

  private static final String NEXT = "manifest.new";

  private final Disk disk;
  private final long store;
  private long sequence; // guarded by this
  private IOException failure; // guarded by this

  private ManifestFile(Disk disk, long store, long sequence) {
    this.disk = disk;
    this.store = store;
    this.sequence = sequence;
  }

  /**
   * Reads the manifest and changes nothing.
   *
   * @return empty if the store has none, which is so until the first replacement
   * @throws CorruptionException if it is damaged
   */
  public static Optional<Manifest> read(Disk disk) throws IOException {
    if (!disk.exists(NAME)) {
      return Optional.empty();
    }
    try (DiskFile file = disk.open(NAME)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
      file.read(bytes, 0);
      return Optional.of(Manifest.decode(bytes.flip(), disk.describe(NAME)));
    }
  }

  /**
   * Reads the manifest and makes sure that it is the one a power cut would leave: a killed process
   * may have renamed it into place without having synced the directory.
   *
   * @throws CorruptionException if it is damaged
   */
  public static Optional<Manifest> settle(Disk disk) throws IOException {
    Optional<Manifest> manifest = read(disk);
    disk.syncDirectory();
    return manifest;
  }

  /** The file of a store that has no manifest yet; the first replacement writes sequence 1. */
  public static ManifestFile create(Disk disk, long store) {
    return new ManifestFile(disk, store, 0);
  }

  /** The file of a store that has this manifest. */
  public static ManifestFile open(Disk disk, Manifest current) {
    return new ManifestFile(disk, current.store(), current.sequence());
  }

  /** The sequence number of the manifest in place, 0 if there is none. */
  public synchronized long sequence() {
    return sequence;
  }

  /** The first failure of a replacement, or null. */
  public synchronized Throwable failure() {
    return failure;
  }

  /**
   * Puts a manifest with this payload in the place of the current one. When it returns, a crash
   * leaves the new one.
   *
   * @param payload what remains in it; position and limit stay as they are
   * @throws IOException if the disk is full or fails, now or before
   */
  public synchronized void replace(ByteBuffer payload) throws IOException {
    if (failure != null) {
      throw new IOException("manifest has failed: cause=" + failure.getMessage(), failure);
    }
    Manifest next = new Manifest(store, sequence + 1, payload);
    try {
      write(next);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
    sequence = next.sequence();
  }

  private void write(Manifest next) throws IOException {
    if (disk.exists(NEXT)) {
      disk.delete(NEXT);
    }
    try (DiskFile file = disk.create(NEXT)) {
      file.write(next.encode(), 0);
      file.sync();
    }
    disk.rename(NEXT, NAME);
    disk.syncDirectory();
  }
}
