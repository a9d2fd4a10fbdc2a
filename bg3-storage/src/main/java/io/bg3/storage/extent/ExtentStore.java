package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.IoReason;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * <p>Threads: any, but for {@link #open} and {@link #close}. Lock order: {@code syncing}, tail,
 * extent or files.
 */
public final class ExtentStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExtentStore.class);

  /** Bytes of the largest payload of a record. */
  public static final int MAX_PAYLOAD = RecordFrame.MAX_PAYLOAD;

  /** Extents that are appended while garbage comes to count 1/e, in a small store. */
  private static final int SHORTEST_WINDOW = 4;

  /** In a large store it is this part of the live bytes. */
  private static final int WINDOW_SHARE = 8;

  /**
   * Records that are moved have tails of their own: they are older than those that are appended
   * beside them, and become garbage later. So have records that expire together.
   */
  private record TailId(Stream stream, int family, boolean moved) {
    static TailId of(Extent extent) {
      return new TailId(extent.stream(), extent.family(), extent.isMoved());
    }
  }

  /** The extent that a stream appends to; null before the first record. Guard: {@code this}. */
  private static final class Tail {
    Extent extent;
  }

  private final Disk disk;
  private final ExtentSettings settings;
  private final ExtentFiles files;
  private final Map<Integer, Extent> extents = new ConcurrentHashMap<>();
  private final Map<TailId, Tail> tails = new ConcurrentHashMap<>();
  private final AtomicLong lastNumber = new AtomicLong();
  private final AtomicLong appended = new AtomicLong();

  /** Bytes of the records that were appended as they were made. */
  private final Map<Stream, LongAdder> fresh = new EnumMap<>(Stream.class);

  /** Bytes of the records that were moved. */
  private final Map<Stream, LongAdder> moved = new EnumMap<>(Stream.class);

  /** Bytes of the records of families that were moved. */
  private final Map<Integer, LongAdder> movedOfFamilies = new ConcurrentHashMap<>();

  /** Bytes that had been appended to the store when it was opened, as its manifest says. */
  private long appendedBefore;

  /** Bytes of live records in all extents, so that nobody has to look at each. */
  private final LongAdder live = new LongAdder();

  /**
   * Extents written to since they were synced, with their files, each of which is in use as long as
   * it stands here.
   */
  private final Map<Extent, DiskFile> unsynced = new ConcurrentHashMap<>();

  /**
   * Held by a sync until what it took from {@code unsynced} is on the disk, so that the next one
   * waits for that.
   */
  private final Object syncing = new Object();

  /** Whether files were created since the directory was synced. */
  private final AtomicBoolean created = new AtomicBoolean();

  /** Files of extents that the manifest did not name when the store was opened. Guard: this. */
  private final List<String> unnamed = new ArrayList<>();

  /**
   * Extents that were made here and that no manifest can name, because none has been written with
   * {@link #usageToName} since. Guard: this.
   */
  private final List<Extent> neverNamed = new ArrayList<>();

  /** Whether this is planned and not established yet. Guard: this. */
  private boolean planned = true;

  /** Whether the opening of the store has failed, so that what it has made is in vain. */
  private volatile boolean refused;

  private volatile Throwable failure;

  /** Whether reads pass the system's cache by. */
  private volatile boolean direct;

  private ExtentStore(Disk disk, ExtentSettings settings) {
    this.disk = disk;
    this.settings = settings;
    this.files = new ExtentFiles(disk, settings);
    for (Stream stream : Stream.values()) {
      fresh.put(stream, new LongAdder());
      moved.put(stream, new LongAdder());
    }
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
    ExtentStore store = new ExtentStore(disk, settings);
    Set<String> named = new HashSet<>();
    for (ExtentUsage row : fromManifest) {
      Extent extent = new Extent(row);
      if (store.extents.put(extent.number(), extent) != null) {
        throw new IllegalArgumentException("extent named twice: extent=" + row.extent());
      }
      named.add(extent.fileName());
      store.live.add(row.live());
      store.appendedBefore = Math.max(store.appendedBefore, row.windowEnd());
      store.lastNumber.accumulateAndGet(Integer.toUnsignedLong(extent.number()), Math::max);
    }
    try {
      store.lookAtTails();
      for (String name : disk.list()) {
        if (Extent.isName(name) && !named.contains(name)) {
          store.unnamed.add(name);
        }
      }
      return store;
    } catch (IOException | RuntimeException | Error e) {
      store.files.close();
      throw e;
    }
  }

  /** Files of extents that are there and that the manifest does not name. */
  public synchronized List<String> unnamed() {
    return List.copyOf(unnamed);
  }

  /**
   * Deletes the files that the manifest does not name, and leaves this planned. The caller has made
   * sure that the manifest which was read is the one that a power cut leaves, and that the store is
   * not refused for a damage of which they are evidence.
   */
  public synchronized void deleteUnnamed() throws IOException {
    while (!unnamed.isEmpty()) {
      disk.deleteIfThere(unnamed.get(unnamed.size() - 1));
      unnamed.remove(unnamed.size() - 1);
    }
  }

  /**
   * Goes on from where the manifest is: appends continue behind {@code written} of an extent that
   * is not sealed, and the files that the manifest does not name are deleted.
   */
  public void establish() throws IOException {
    List<Extent> own;
    synchronized (this) {
      own = List.copyOf(neverNamed);
      planned = false;
    }
    for (Extent extent : extents.values()) {
      if (!extent.isSealed() && !own.contains(extent)) {
        continueAt(extent);
      }
    }
    deleteUnnamed();
  }

  /**
   * Reads past the system's cache from now on, if the settings say so. Until then, replay reads
   * through the cache what a process has written that ended a moment ago.
   */
  public void readDirectly() {
    direct = settings.direct();
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
    return append(new TailId(stream, 0, false), settings.clock().getAsLong(), kind, key, parts);
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
        : append(new TailId(stream, family, false), newest, kind, key, parts);
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
    return append(new TailId(stream, 0, true), now, kind, key, payload);
  }

  /**
   * Appends a copy of a record that was read, as {@link #appendMoved(Stream, byte, long,
   * ByteBuffer)}: of its stream and family. It expires when all do in the extent that it comes
   * from.
   *
   * @throws NoSuchExtentException if that is not there any more
   */
  public long appendMoved(ExtentRecord record) throws IOException {
    Extent from = extentOf(record.location());
    int family = from.family();
    long newest = family == 0 ? settings.clock().getAsLong() : from.newest();
    TailId tail = new TailId(from.stream(), family, true);
    long copy = append(tail, newest, record.kind(), record.key(), record.payload());
    if (family != 0) {
      movedOfFamilies
          .computeIfAbsent(family, f -> new LongAdder())
          .add(record.payload().remaining());
    }
    return copy;
  }

  private long append(TailId tail, long time, byte kind, long key, ByteBuffer... parts)
      throws IOException {
    int length = payloadLength(parts);
    requireNoFailure();
    ByteBuffer frame = RecordFrame.encode(kind, key, length, parts);
    int bytes = frame.remaining();
    long location = Location.NONE;
    boolean written = false;
    try {
      location = place(tail, bytes, time);
      write(frame, location);
      written = true;
      appended.addAndGet(bytes);
      (tail.moved() ? moved : fresh).get(tail.stream()).add(bytes);
      return location;
    } catch (IOException e) {
      if (!isPlanned() && !(tail.moved() && IoReason.isFull(e, disk))) {
        fail(e);
      }
      throw e;
    } finally {
      if (!written && location != Location.NONE && !takeBack(tail, location, bytes)) {
        release(location); // nobody will
      }
    }
  }

  /**
   * Gives the place of a copy that was not written to the next one, so that the file is not shorter
   * than it is said to be written.
   */
  private boolean takeBack(TailId tail, long location, long bytes) {
    boolean back = tail.moved() && extentOf(location).takeBack(location, bytes);
    if (back) {
      live.add(-Location.bytes(location));
    }
    return back;
  }

  private void write(ByteBuffer frame, long location) throws IOException {
    RecordFrame.address(frame, settings.store(), location);
    Extent extent = extents.get(Location.extent(location));
    DiskFile file = files.acquire(extent); // not forgotten: what is live is not deleted
    boolean kept = false;
    try {
      file.write(frame, Location.offset(location));
      kept = true;
      awaitsSync(extent, file);
    } finally {
      if (!kept) {
        files.release(extent);
      }
    }
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
    Extent extent = extents.get(Location.extent(location));
    DiskFile file = extent == null ? null : files.acquire(extent);
    if (file == null) {
      throw new NoSuchExtentException(location);
    }
    try {
      long offset = Location.offset(location);
      long end = Math.min(offset + Location.bytes(location), extent.written());
      if (offset < Extent.FIRST_RECORD || end < offset + RecordFrame.PAYLOAD) {
        throw new CorruptionException(
            files.describe(extent),
            offset,
            "a record in [" + Extent.FIRST_RECORD + ", " + extent.written() + ")",
            "location " + Location.toString(location));
      }
      int length = (int) (end - offset);
      boolean fits = into != null && length <= into.remaining();
      ByteBuffer frame = fits ? into.slice(into.position(), length) : ByteBuffer.allocate(length);
      if (isReadDirectly(extent)) {
        file.readDirect(frame.order(ByteOrder.LITTLE_ENDIAN), offset);
      } else {
        file.read(frame.order(ByteOrder.LITTLE_ENDIAN), offset);
      }
      return RecordFrame.decode(frame.flip(), settings.store(), location, files.describe(extent));
    } finally {
      files.release(extent);
    }
  }

  /**
   * Something that reads the records of an extent one after another.
   *
   * @param most bytes that are read at once, if no record is larger
   * @return null if the extent is not there (any more)
   */
  public ExtentScan scan(int extentId, int most) {
    Extent extent = extents.get(extentId);
    return extent == null ? null : new ExtentScan(this, extent, most);
  }

  /**
   * Reads bytes of an extent, records or not, into a buffer on the heap.
   *
   * @throws NoSuchExtentException if it is not there any more
   */
  ByteBuffer readBytes(Extent extent, long offset, int length) throws IOException {
    DiskFile file = files.acquire(extent);
    if (file == null) {
      throw new NoSuchExtentException(Location.of(extent.number(), offset, length));
    }
    try {
      ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
      if (isReadDirectly(extent)) {
        file.readDirect(bytes, offset);
      } else {
        file.read(bytes, offset);
      }
      return bytes.flip();
    } finally {
      files.release(extent);
    }
  }

  /** The record in a frame of the right length that was read at a location; null if it is none. */
  ExtentRecord decode(ByteBuffer frame, long location) {
    return RecordFrame.hasChecksum(frame, settings.store(), location)
        ? RecordFrame.decode(frame, settings.store(), location, "")
        : null;
  }

  /**
   * Whether an extent's records are read past the system's cache. The page table's rows are not:
   * they are read once, one after another, and the system reads ahead. Nor is what is not synced,
   * which a direct read would write to the device first.
   */
  private boolean isReadDirectly(Extent extent) {
    return direct && extent.stream() != Stream.MAP && !unsynced.containsKey(extent);
  }

  /**
   * Returns when everything that was appended before the call will survive a power cut, with the
   * files it lies in.
   *
   * @throws IOException if this or an earlier write or sync failed
   */
  public void sync() throws IOException {
    synchronized (syncing) {
      requireNoFailure();
      try {
        boolean newFiles = created.getAndSet(false);
        // The iterator sees every extent that was put before. A copy need not: List.copyOf asks
        // for the map's size first, which is behind while another thread is in putIfAbsent.
        Iterator<Extent> written = unsynced.keySet().iterator();
        while (written.hasNext()) {
          Extent extent = written.next();
          // An append that this sync does not see puts the extent back, with a claim of its own on
          // the file.
          DiskFile file = unsynced.remove(extent);
          if (file != null) {
            file.sync();
            files.release(extent);
          }
        }
        if (newFiles) {
          disk.syncDirectory();
        }
      } catch (IOException | RuntimeException | Error e) {
        fail(e);
        throw e;
      }
    }
  }

  /**
   * Lets go of a record: it is garbage from now on, and its extent goes when nothing in it is live.
   *
   * @throws NoSuchExtentException if its extent is not there any more
   */
  public void release(long location) {
    extentOf(location).release(location, appendedEver(), window());
    live.add(-Location.bytes(location));
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
    named(numbers); // those that began behind the look at them stay
    return rows;
  }

  private synchronized void named(Set<Integer> numbers) {
    neverNamed.removeIf(extent -> numbers.contains(extent.number()));
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
    Extent extent = extents.get(extentId);
    if (extent == null || !extent.isDead() || !extents.remove(extentId, extent)) {
      throw new IllegalArgumentException(
          "extent is not dead: number=" + Integer.toHexString(extentId) + ", extent=" + extent);
    }
    deleteFile(extent);
  }

  /**
   * Forgets an extent and deletes its file. One that is not there was deleted before a crash, and
   * still named by the manifest that the store was opened with.
   */
  private void deleteFile(Extent extent) throws IOException {
    files.forget(extent);
    if (unsynced.remove(extent) != null) {
      files.release(extent);
    }
    disk.deleteIfThere(extent.fileName());
  }

  /**
   * Deletes the dead ones among the extents that no manifest has ever named. One that cannot be
   * deleted takes space and does no other harm: the next call tries again. Only the thread that
   * writes manifests, or replays, calls this.
   */
  public void deleteDeadNeverNamed() {
    List<Extent> own;
    synchronized (this) {
      own = List.copyOf(neverNamed);
    }
    for (Extent extent : own) {
      if (extent.isDead()) {
        deleteNeverNamed(extent);
      }
    }
  }

  private void deleteNeverNamed(Extent extent) {
    extents.remove(extent.number(), extent);
    try {
      deleteFile(extent);
      forgetMade(extent);
    } catch (IOException e) {
      LOG.warn(
          "an extent that is not needed any more cannot be deleted: file={}",
          files.describe(extent),
          e);
    }
  }

  /**
   * Says that the opening of the store has failed: {@link #close} deletes the extents that it has
   * made and that no manifest can name, although this may be established.
   */
  public void refused() {
    refused = true;
  }

  /** Bytes of all records appended since the store was opened, with their frames. */
  public long appendedBytes() {
    return appended.get();
  }

  /**
   * Bytes of all records appended since the store was made, as far as its manifests tell: what was
   * appended behind the last one before a crash is not in it. This is the clock of {@link
   * ExtentUsage#windowEnd}.
   */
  public long appendedEver() {
    return appendedBefore + appended.get();
  }

  /** Bytes of the records of a stream that were {@linkplain #append appended}, not moved ones. */
  public long appendedBytes(Stream stream) {
    return fresh.get(stream).sum();
  }

  /**
   * Bytes of the records of a stream that were {@linkplain #appendMoved moved}, since the opening.
   */
  public long movedBytes(Stream stream) {
    return moved.get(stream).sum();
  }

  /** Bytes of the records of a family that were moved, since the opening. */
  public long movedBytesOfFamily(int family) {
    LongAdder bytes = movedOfFamilies.get(family);
    return bytes == null ? 0 : bytes.sum();
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
    return Math.max(SHORTEST_WINDOW * (long) extentSize(), liveBytes() / WINDOW_SHARE);
  }

  /** How often the file of an extent was opened to be read, since the store was opened. */
  public long openedFiles() {
    return files.opened();
  }

  /** Bytes of all live records, as their locations tell them. */
  public long liveBytes() {
    return live.sum();
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
        DiskFile file = files.acquire(extent);
        if (file != null) {
          long size = file.size();
          files.release(extent);
          if (size < extent.written()) {
            throw new CorruptionException(
                files.describe(extent), size, extent.written() + " bytes", size + " bytes");
          }
        }
      } catch (RuntimeException e) {
        wrong.add(e);
      }
    }
    return wrong;
  }

  /** The first append or sync that failed, or null. */
  public Throwable failure() {
    return failure;
  }

  /**
   * Closes all files without syncing them, and deletes those that were made in vain because this is
   * only planned, or the opening was {@linkplain #refused refused}.
   */
  @Override
  public void close() throws IOException {
    files.close();
    List<Extent> inVain;
    synchronized (this) {
      inVain = planned || refused ? List.copyOf(neverNamed) : List.of();
      neverNamed.clear();
      planned = false;
    }
    for (Extent extent : inVain) {
      disk.deleteIfThere(extent.fileName());
    }
  }

  /** Seals each extent that cannot be appended to, because its file is damaged or not there. */
  private void lookAtTails() throws IOException {
    for (Extent extent : extents.values()) {
      if (!extent.isSealed()) {
        try {
          files.acquire(extent);
          files.release(extent);
        } catch (CorruptionException e) {
          extent.seal(); // it is left as it is; a read from it throws this exception
        }
      }
    }
  }

  /**
   * Seals an extent if its stream appends to it, so that it can become {@linkplain #dead dead}. The
   * next record begins another one.
   */
  public void sealTail(int extentId) throws IOException {
    Extent extent = extents.get(extentId);
    if (extent == null) {
      return;
    }
    Tail tail = tail(TailId.of(extent));
    synchronized (tail) {
      if (tail.extent == extent) {
        tail.extent = null;
        end(extent);
      }
    }
  }

  /** Makes an extent that is not sealed the end of its stream, or seals it if there is one. */
  private void continueAt(Extent extent) throws IOException {
    Tail tail = tail(TailId.of(extent));
    synchronized (tail) {
      if (tail.extent == null) {
        files.acquire(extent); // until it is sealed
        tail.extent = extent;
      } else {
        extent.seal();
      }
    }
  }

  private Tail tail(TailId id) {
    return tails.computeIfAbsent(id, i -> new Tail());
  }

  /** Gives a record its place, beginning a new extent if need be. */
  private long place(TailId id, long bytes, long time) throws IOException {
    if (bytes > settings.extentSize() - Extent.FIRST_RECORD) {
      Extent own = begin(id, time);
      long location = give(own, bytes, time);
      end(own);
      return location;
    }
    Tail tail = tail(id);
    synchronized (tail) {
      if (tail.extent == null || tail.extent.written() + bytes > settings.extentSize()) {
        Extent next = begin(id, time);
        if (tail.extent != null) {
          end(tail.extent);
        }
        tail.extent = next;
      }
      return give(tail.extent, bytes, time);
    }
  }

  private long give(Extent extent, long bytes, long time) {
    long location = extent.give(bytes, time);
    live.add(Location.bytes(location));
    return location;
  }

  private Extent begin(TailId tail, long time) throws IOException {
    Extent extent =
        new Extent(nextNumber(), tail.stream(), tail.moved(), tail.family(), time, appendedEver());
    DiskFile file = create(extent);
    created.set(true);
    files.acquire(extent); // a second claim, given up when it is synced
    awaitsSync(extent, file);
    extents.put(extent.number(), extent);
    return extent;
  }

  private DiskFile create(Extent extent) throws IOException {
    noteMade(extent);
    try {
      return files.create(extent);
    } catch (FileAlreadyExistsException e) {
      forgetMade(extent); // the file was there before, and stays
      throw e;
    } catch (IOException e) {
      try {
        files.forget(extent);
        files.release(extent);
        disk.deleteIfThere(extent.fileName()); // without a header, if the disk is full
        forgetMade(extent);
      } catch (IOException more) {
        e.addSuppressed(more); // the next opening deletes it
      }
      throw e;
    }
  }

  private synchronized void noteMade(Extent extent) {
    neverNamed.add(extent);
  }

  private synchronized boolean isPlanned() {
    return planned;
  }

  private synchronized void forgetMade(Extent extent) {
    neverNamed.remove(extent);
  }

  private synchronized boolean isUnnamed(int number) {
    return unnamed.stream().anyMatch(name -> Extent.isNumbered(name, number));
  }

  /** A number that no file has, whether the manifest names it or not, and no extent ever had. */
  private int nextNumber() throws IOException {
    while (true) {
      long last = lastNumber.incrementAndGet();
      if (last > Location.MAX_EXTENT) {
        throw new IOException(
            "no numbers of extents are left: last="
                + Location.MAX_EXTENT
                + "; export the graph into a new store");
      }
      int number = (int) last;
      if (!isUnnamed(number)) {
        return number;
      }
    }
  }

  /** Seals an extent and gives up the claim on its file that appending had. */
  private void end(Extent extent) throws IOException {
    extent.seal();
    files.release(extent);
  }

  /** Remembers that an extent was written to; takes over the caller's claim on its file. */
  private void awaitsSync(Extent extent, DiskFile file) throws IOException {
    if (unsynced.putIfAbsent(extent, file) != null) {
      files.release(extent);
    }
  }

  private Extent extentOf(long location) {
    Extent extent = extents.get(Location.extent(location));
    if (extent == null) {
      throw new NoSuchExtentException(location);
    }
    return extent;
  }

  private static int payloadLength(ByteBuffer... parts) {
    long length = 0;
    for (ByteBuffer part : parts) {
      length += part.remaining();
    }
    if (length > MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          "payload of a record is too large: length=" + length + ", limit=" + MAX_PAYLOAD);
    }
    return (int) length;
  }

  private void requireNoFailure() throws IOException {
    Throwable first = failure;
    if (first != null) {
      throw new IOException("extents cannot be written any more after: " + first, first);
    }
  }

  private synchronized void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }
}
