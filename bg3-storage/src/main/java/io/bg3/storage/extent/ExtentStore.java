package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All extents of a store.
 *
 * <p><b>Appending.</b> A record takes its place under the short lock of its stream and is written
 * without it. When it does not fit any more, the extent is sealed and a new one begun; a record
 * larger than an extent gets one of its own size. A record is live until it is {@linkplain #release
 * released}.
 *
 * <p><b>Failing.</b> The first I/O of an append or a sync that fails is final: all later ones throw
 * an IOException with that cause, because nobody knows what reached the disk. Reading goes on. An
 * append that fails otherwise, because the JVM has no memory for its buffers, fails alone: the
 * place that it may have got stays unused. So does an append before this is established, since the
 * opening of a store may go on without it, on a full disk for instance.
 *
 * <p>Threads: any, but for {@link #open} and {@link #close}. Lock order: sync, tail, extent or
 * files or the names.
 */
public final class ExtentStore implements AutoCloseable {
  /** Bytes of the largest payload of a record. */
  public static final int MAX_PAYLOAD = RecordFrame.MAX_PAYLOAD;

  /** Bytes of a payload that are verified where {@link #readFirst} reads its beginning alone. */
  public static final int VERIFIED_FIRST = RecordFrame.FIRST_BYTES;

  private final Disk disk;
  private final ExtentSettings settings;
  private final ExtentFiles files;
  private final Map<Integer, Extent> extents;
  private final FirstFailure failure;
  private final ExtentCounters counters;
  private final UnsyncedExtents unsynced;
  private final UnnamedFiles unnamed;
  private final ExtentTails tails;
  private final ExtentWriter writer;
  private final ExtentReader reader;
  private final ExtentRemoval removal;
  private final ExtentParts parts;

  private ExtentStore(ExtentParts parts) {
    this.parts = parts;
    this.disk = parts.disk();
    this.settings = parts.settings();
    this.files = parts.files();
    this.extents = parts.extents();
    this.failure = parts.failure();
    this.counters = parts.counters();
    this.unsynced = parts.unsynced();
    this.unnamed = parts.unnamed();
    this.tails = new ExtentTails(parts);
    this.writer = new ExtentWriter(parts, tails);
    this.reader = new ExtentReader(parts);
    this.removal = new ExtentRemoval(parts);
  }

  /**
   * Opens the extents that the manifest names and deletes the files of all others. Appends go on
   * behind {@code written} of an extent that is not sealed.
   *
   * <p>A damaged or missing extent is not noticed here but when it is read, so that the rest can
   * be.
   *
   * @param fromManifest a row an extent; none for a new store
   * @throws IllegalArgumentException if two rows name one extent
   */
  public static ExtentStore open(Disk disk, ExtentSettings settings, List<ExtentUsage> fromManifest)
      throws IOException {
    ExtentStore store = plan(disk, settings, fromManifest);
    store.establish();
    return store;
  }

  /**
   * Plans to open the extents that the manifest names: no file that is there is changed or deleted
   * before {@link #establish}. They can be read; what is appended goes to new extents, and their
   * files are deleted again if this is closed without having been established.
   *
   * @param fromManifest a row an extent; none for a new store
   * @throws IllegalArgumentException if two rows name one extent
   */
  public static ExtentStore plan(Disk disk, ExtentSettings settings, List<ExtentUsage> fromManifest)
      throws IOException {
    ExtentStore store = new ExtentStore(ExtentParts.of(disk, settings));
    Set<String> named = new HashSet<>();
    for (ExtentUsage row : fromManifest) {
      Extent extent = new Extent(row);
      if (store.extents.put(extent.number(), extent) != null) {
        throw new IllegalArgumentException("extent named twice: extent=" + row.extent());
      }
      named.add(extent.fileName());
      store.counters.opened(row);
      store.tails.hasNumber(extent.number());
    }
    try {
      for (Extent extent : store.extents.values()) {
        store.tails.sealIfDamaged(extent);
      }
      store.unnamed.find(named);
      return store;
    } catch (IOException | RuntimeException | Error e) {
      store.files.close();
      throw e;
    }
  }

  /** Files of extents that are there and that the manifest does not name. */
  public List<String> unnamed() {
    return unnamed.found();
  }

  /**
   * Deletes the files that the manifest does not name, and leaves this planned. The caller has made
   * sure that the manifest which was read is the one that a power cut leaves, and that the store is
   * not refused for a damage of which they are evidence.
   */
  public void deleteUnnamed() throws IOException {
    unnamed.deleteFound();
  }

  /**
   * Goes on from where the manifest is: appends continue behind {@code written} of an extent that
   * is not sealed, and the files that the manifest does not name are deleted.
   */
  public void establish() throws IOException {
    List<Extent> own = unnamed.establish();
    for (Extent extent : extents.values()) {
      if (!extent.isSealed() && !own.contains(extent)) {
        tails.continueAt(extent);
      }
    }
    deleteUnnamed();
  }

  /**
   * Reads past the system's cache from now on, if the settings say so. Until then, replay reads
   * through the cache what a process has written that ended a moment ago.
   */
  public void readDirectly() {
    reader.readDirectly();
  }

  /**
   * Appends a record to a stream. It is in the file when this returns, and durable after the next
   * {@link #sync}.
   *
   * @param kind what the payload is
   * @param key what it belongs to
   * @param parts the payload, in pieces: what remains in each; their positions stay
   * @return its location, never {@link Location#NONE}
   * @throws IllegalArgumentException if the payload is above 1 GiB
   * @throws IOException if this or an earlier write or sync failed
   * @throws OutOfMemoryError if there is no memory for a buffer; then the stream is as good as
   *     before
   */
  public long append(Stream stream, byte kind, long key, ByteBuffer... parts) throws IOException {
    return writer.append(
        new ExtentTails.Id(stream, 0, false), settings.clock().getAsLong(), kind, key, parts);
  }

  /**
   * As {@link #append(Stream, byte, long, ByteBuffer...)}, a record that expires with others. It
   * shares extents with those of its stream and family alone.
   *
   * @param family from 1 to 255; 0 for a record that does not expire
   * @param newest milliseconds since 1970 of what expires last in the record; the extent says the
   *     largest ({@link ExtentUsage#newest})
   */
  public long appendExpiring(
      Stream stream, int family, long newest, byte kind, long key, ByteBuffer... parts)
      throws IOException {
    return family == 0
        ? append(stream, kind, key, parts)
        : writer.append(new ExtentTails.Id(stream, family, false), newest, kind, key, parts);
  }

  /**
   * Appends records, each as {@link #appendExpiring}, with one write for those that lie one behind
   * the other: small records take less time so.
   *
   * @return their locations, in their order
   * @throws IllegalArgumentException if a payload is above 1 GiB
   * @throws IOException if this or an earlier write or sync failed; none of the records is there
   * @throws OutOfMemoryError if there is no memory for a buffer; likewise
   */
  public long[] append(List<NewRecord> records) throws IOException {
    return writer.append(records);
  }

  /**
   * Appends a copy of a record to an extent of its stream that holds nothing but such copies. A
   * disk that is full fails this append alone, since nobody needs the copy.
   *
   * @param payload of the record, whose position stays
   * @return the location of the copy
   * @throws IOException if this write failed, or an earlier write or sync for another reason than a
   *     full disk
   */
  public long appendMoved(Stream stream, byte kind, long key, ByteBuffer payload)
      throws IOException {
    long now = settings.clock().getAsLong();
    return writer.append(new ExtentTails.Id(stream, 0, true), now, kind, key, payload);
  }

  /**
   * Appends a copy of a record that was read, as {@link #appendMoved(Stream, byte, long,
   * ByteBuffer)}: of its stream and family. It expires when all do in the extent that it comes
   * from.
   *
   * @throws NoSuchExtentException if that is not there any more
   */
  public long appendMoved(ExtentRecord record) throws IOException {
    Extent from = parts.extentOf(record.location());
    int family = from.family();
    long newest = family == 0 ? settings.clock().getAsLong() : from.newest();
    ExtentTails.Id tail = new ExtentTails.Id(from.stream(), family, true);
    long copy = writer.append(tail, newest, record.kind(), record.key(), record.payload());
    if (family != 0) {
      counters.movedOf(family, record.payload().remaining());
    }
    return copy;
  }

  /**
   * Reads and verifies a record. The payload is on the heap and the caller's own.
   *
   * @throws NoSuchExtentException if its extent is not there (any more)
   * @throws CorruptionException if there is no valid record at this location
   */
  public ExtentRecord read(long location) throws IOException {
    return read(location, null);
  }

  /**
   * Reads and verifies a record into a buffer of the caller's. The payload is a part of the buffer
   * and is valid until the caller uses the buffer again.
   *
   * @param into used from its position on, which stays; a buffer of its own is made for a record
   *     that does not fit into what remains, and if this is null
   */
  public ExtentRecord read(long location, ByteBuffer into) throws IOException {
    return reader.read(location, into);
  }

  /**
   * Reads the beginning of a record, as {@link #read(long, ByteBuffer)} reads all of it. The place
   * of the record, its kind and key, and the first 48 bytes of its payload are verified; the bytes
   * behind them are not.
   *
   * @param bytes how many of the payload, at least
   * @return the record with so many bytes of its payload or more; all of a record where that is no
   *     more to read. Null if its beginning cannot be verified alone, because an earlier release
   *     has written it
   */
  public ExtentRecord readFirst(long location, int bytes, ByteBuffer into) throws IOException {
    return reader.readFirst(location, bytes, into);
  }

  /**
   * Something that reads the records of an extent one after another.
   *
   * @param most bytes that are read at once, if no record is larger
   * @return null if the extent is not there (any more)
   */
  public ExtentScan scan(int extentId, int most) {
    Extent extent = extents.get(extentId);
    return extent == null ? null : new ExtentScan(reader, extent, most);
  }

  /** Something that reads records of extents that are not appended to any more, in their order. */
  public RecordReadAhead readAhead() {
    return new RecordReadAhead(reader, extents);
  }

  /**
   * Returns when everything that was appended before the call will survive a power cut, with the
   * files it lies in.
   *
   * @throws IOException if this or an earlier write or sync failed
   */
  public void sync() throws IOException {
    unsynced.sync();
  }

  /**
   * Lets go of a record: it is garbage from now on, and its extent goes when nothing in it is live.
   *
   * @throws NoSuchExtentException if its extent is not there any more
   */
  public void release(long location) {
    parts.release(location);
  }

  /** How much of each extent is written and wanted now, in the order of their numbers. */
  public List<ExtentUsage> usage() {
    long now = appendedEver();
    long window = window();
    List<ExtentUsage> rows = new ArrayList<>();
    for (Extent extent : extents.values()) {
      rows.add(extent.usage(now, window));
    }
    rows.sort((a, b) -> Integer.compareUnsigned(a.extent(), b.extent()));
    return rows;
  }

  /**
   * {@link #usage} for a manifest that is about to be written. From now on the extents in it count
   * as named, whether the manifest gets to the disk or not.
   */
  public List<ExtentUsage> usageToName() {
    List<ExtentUsage> rows = usage();
    Set<Integer> numbers = new HashSet<>();
    rows.forEach(row -> numbers.add(row.extent()));
    unnamed.named(numbers); // those that began behind the look at them stay
    return rows;
  }

  /** Numbers of the extents that are sealed and hold nothing live: what {@link #delete} takes. */
  public List<Integer> dead() {
    List<Integer> dead = new ArrayList<>();
    for (Extent extent : extents.values()) {
      if (extent.isDead()) {
        dead.add(extent.number());
      }
    }
    return dead;
  }

  /**
   * Deletes a dead extent with its file. The caller makes sure that no manifest that may still be
   * read names it for anything live. Reads under way come to their end.
   *
   * @throws IllegalArgumentException if it is not there or not dead
   */
  public void delete(int extentId) throws IOException {
    removal.delete(extentId);
  }

  /**
   * Deletes the dead ones among the extents that no manifest has ever named. One that cannot be
   * deleted takes space and does no other harm: the next call tries again. Only the thread that
   * writes manifests, or replays, calls this.
   */
  public void deleteDeadNeverNamed() {
    removal.deleteDeadNeverNamed();
  }

  /**
   * Says that the opening of the store has failed: {@link #close} deletes the extents that it has
   * made and that no manifest can name, although this may be established.
   */
  public void refused() {
    unnamed.refuse();
  }

  /** Bytes of all records appended since the store was opened, with their frames. */
  public long appendedBytes() {
    return counters.appended();
  }

  /**
   * Bytes of all records appended since the store was made, as far as its manifests tell: what was
   * appended behind the last one before a crash is not in it. This is the clock of {@link
   * ExtentUsage#windowEnd}.
   */
  public long appendedEver() {
    return counters.appendedEver();
  }

  /** Bytes of the records of a stream that were {@linkplain #append appended}, not moved ones. */
  public long appendedBytes(Stream stream) {
    return counters.fresh(stream);
  }

  /**
   * Bytes of the records of a stream that were {@linkplain #appendMoved moved}, since the opening.
   */
  public long movedBytes(Stream stream) {
    return counters.moved(stream);
  }

  /**
   * Bytes of all records that were {@linkplain #appendMoved moved} since the store was made, as far
   * as its manifests tell: what was moved behind the last one before a crash is not in it.
   */
  public long movedEver() {
    return counters.movedEver();
  }

  /**
   * Says how many bytes had been moved when the manifest was written, for {@link #movedEver}. The
   * caller says it once, before anything is moved.
   */
  public void openedWithMoved(long bytes) {
    counters.openedWithMoved(bytes);
  }

  /** Bytes of the records of a family that were moved, since the opening. */
  public long movedBytesOfFamily(int family) {
    return counters.movedOf(family);
  }

  /** Bytes of an extent that is full. */
  public int extentSize() {
    return settings.extentSize();
  }

  /** Bytes that can still be written to the disk, as far as it tells. */
  public long usableBytes() throws IOException {
    return disk.usableBytes();
  }

  /**
   * The bytes appended in which the weight of garbage falls to 1/e: an eighth of the live bytes,
   * and four extents at least.
   */
  public long window() {
    return counters.window();
  }

  /** How often the file of an extent was opened to be read, since the store was opened. */
  public long openedFiles() {
    return files.opened();
  }

  /** Bytes of all live records, as their locations tell them. */
  public long liveBytes() {
    return counters.live();
  }

  /**
   * Verifies that the file of each extent that is not dead is there, has the right header and is as
   * long as it is said to be written. Records are verified when they are read. Nothing may be
   * appended meanwhile.
   *
   * @return what is wrong; an exception an extent
   */
  public List<RuntimeException> check() throws IOException {
    List<RuntimeException> wrong = new ArrayList<>();
    for (Extent extent : extents.values()) {
      if (extent.isDead()) {
        continue;
      }
      try {
        files.check(extent);
      } catch (RuntimeException e) {
        wrong.add(e);
      }
    }
    return wrong;
  }

  /** The first append or sync that failed, or null. */
  public Throwable failure() {
    return failure.cause();
  }

  /**
   * Closes all files without syncing them, and deletes those that were made in vain because this is
   * only planned, or the opening was {@linkplain #refused refused}.
   */
  @Override
  public void close() throws IOException {
    files.close();
    unnamed.close();
  }

  /**
   * Seals an extent if its stream appends to it, so that it can become {@linkplain #dead dead}. The
   * next record begins another one.
   */
  public void sealTail(int extentId) throws IOException {
    Extent extent = extents.get(extentId);
    if (extent != null) {
      tails.seal(extent);
    }
  }
}
