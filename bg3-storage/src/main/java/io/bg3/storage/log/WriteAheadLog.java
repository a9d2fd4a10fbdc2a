package io.bg3.storage.log;

import io.bg3.storage.Waiting;
import io.bg3.storage.file.Disk;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * A log that is being written. It has no thread of its own: committers reserve and append, and
 * either one of them calls {@link #syncTo} for all, or a writer thread of the caller's calls {@link
 * #awaitWork} and {@link #write} in turn.
 *
 * <p>A record goes through these steps:
 *
 * <ol>
 *   <li>{@link #reserve}: there is space in prepared segments, and not too much waits to be
 *       written. May do I/O, wait and fail.
 *   <li>{@link #append}: the record has its position. Cannot fail or wait.
 *   <li>{@link #write}: the record is in the file; with {@code sync} it is durable when the call
 *       returns.
 * </ol>
 *
 * <p>A write or a sync that fails is final: {@link #failure} keeps the first cause, nothing is
 * written any more, and every later call that can fail does so with that cause. Records that were
 * appended and not reported durable may or may not be there when the log is opened again. If only
 * the preparation of a segment fails, for instance because the disk is full, what is reserved can
 * still be written, and every later reservation is refused with the first cause.
 *
 * <ul>
 *   <li>A1: durable &lt;= written &lt;= end &lt;= promised.
 *   <li>A2: promised - end is what is reserved and not appended yet.
 * </ul>
 *
 * <pre>
 *  field     guard
 *  queue     offered to under the caller's lock, polled by the writer
 *  end       written under the caller's lock after the record is in the queue; the writer reads it and takes no more
 *  written   written by the writer
 *  durable   written by the writer
 *  promised  atomic
 *  failure   atomic, set once
 *  refusal   atomic, set once
 *  waiting   written by the writer before it looks at end, read by appenders after they raised it: one of them sees the other
 *  missing   written by the thread that opens the log
 * </pre>
 */
public final class WriteAheadLog implements AutoCloseable {
  private static final int QUEUE_CHUNK = 1024;

  /** The steps on the disk before a planned log can be written. */
  private interface Establishment {
    void run(Segments segments) throws IOException;

    /** Closes what only planning needed. */
    void abandon() throws IOException;
  }

  private static final class Creation implements Establishment {
    private final Disk disk;
    private final List<String> leftovers;
    private final long position;

    Creation(Disk disk, List<String> leftovers, long position) {
      this.disk = disk;
      this.leftovers = leftovers;
      this.position = position;
    }

    @Override
    public void run(Segments segments) throws IOException {
      for (String name : leftovers) {
        disk.delete(name);
      }
      segments.createFirst(position);
    }

    @Override
    public void abandon() {}
  }

  private static final class Recovery implements Establishment {
    private final LogReader reader;
    private final LogRepair repair;

    Recovery(LogReader reader, LogRepair repair) {
      this.reader = reader;
      this.repair = repair;
    }

    @Override
    public void run(Segments segments) throws IOException {
      repair.repair(reader);
    }

    @Override
    public void abandon() throws IOException {
      reader.chain().close();
    }
  }

  private final Segments segments;
  private final LogSettings settings;
  private final LogOutput output;
  private final MpscUnboundedArrayQueue<ByteBuffer> queue =
      new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
  private final AtomicLong promised;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicReference<Throwable> refusal = new AtomicReference<>();
  private final Object drained = new Object();
  private volatile long end;
  private volatile long written;
  private volatile long durable;
  private volatile Thread waiting;
  private volatile Establishment missing; // null once the log is established

  private WriteAheadLog(
      Segments segments, LogSettings settings, int epoch, long position, Establishment missing) {
    this.segments = segments;
    this.missing = missing;
    this.settings = settings;
    this.output = new LogOutput(segments, settings, epoch, position);
    this.promised = new AtomicLong(position);
    this.end = position;
    this.written = position;
    this.durable = position;
  }

  /**
   * Begins to read a log. Nothing is changed on the disk.
   *
   * @param from where to begin: the end of a record, or the position the log was created with
   * @param claimedDurable how far the manifest says the log is durable
   * @throws CorruptionException if the segment that holds {@code from} is missing or damaged
   */
  public static LogReader read(Disk disk, LogSettings settings, long from, long claimedDurable)
      throws IOException {
    return read(disk, settings, from, claimedDurable, new TailValidator());
  }

  static LogReader read(
      Disk disk, LogSettings settings, long from, long claimedDurable, TailValidator judge)
      throws IOException {
    return new LogReader(SegmentChain.open(disk, settings, from), from, claimedDurable, judge);
  }

  /**
   * Creates the log of a new store. The log is durable when this returns. Files that an earlier
   * attempt left are removed.
   *
   * @param position the first position, a multiple of 8
   * @throws CorruptionException if there are segments with records, so this is no new store
   */
  public static WriteAheadLog create(Disk disk, LogSettings settings, long position)
      throws IOException {
    return create(disk, settings, position, new SegmentFiles(disk, settings));
  }

  static WriteAheadLog create(Disk disk, LogSettings settings, long position, SegmentFiles files)
      throws IOException {
    return established(planNew(disk, settings, position, files));
  }

  /**
   * Plans the log of a new store: nothing is changed on the disk before {@link #establish}.
   *
   * @param position the first position, a multiple of 8
   * @throws CorruptionException if there are segments that no interrupted creation leaves, so this
   *     is no new store
   */
  public static WriteAheadLog planNew(Disk disk, LogSettings settings, long position)
      throws IOException {
    return planNew(disk, settings, position, new SegmentFiles(disk, settings));
  }

  private static WriteAheadLog planNew(
      Disk disk, LogSettings settings, long position, SegmentFiles files) throws IOException {
    if (position < 0 || position % LogRecord.ALIGNMENT != 0) {
      throw new IllegalArgumentException("position must be a multiple of 8: position=" + position);
    }
    Creation creation = new Creation(disk, EmptySegments.find(disk, position), position);
    Segments segments = new Segments(files, settings, 1, List.of());
    return new WriteAheadLog(segments, settings, 1, position, creation);
  }

  /**
   * Opens a log for writing behind its last record. When it returns, all that was read is durable,
   * the log ends there, and answers may be given. It takes over the reader's files.
   *
   * @param reader has returned false from {@link LogReader#next}
   * @throws IllegalStateException if the reader has not reached the end
   */
  public static WriteAheadLog open(LogReader reader) throws IOException {
    return established(plan(reader));
  }

  static WriteAheadLog open(LogReader reader, LogRepair repair, SegmentFiles files)
      throws IOException {
    return established(plan(reader, repair, files));
  }

  /**
   * Plans to open a log for writing behind its last record: nothing is changed on the disk before
   * {@link #establish}. It takes over the reader's files.
   *
   * @param reader has returned false from {@link LogReader#next}
   * @throws IllegalStateException if the reader has not reached the end
   */
  public static WriteAheadLog plan(LogReader reader) {
    SegmentChain chain = reader.chain();
    return plan(reader, new LogRepair(), new SegmentFiles(chain.disk(), chain.settings()));
  }

  private static WriteAheadLog plan(LogReader reader, LogRepair repair, SegmentFiles files) {
    long position = reader.tornTail().position();
    int epoch = reader.epoch() + 1;
    LogSettings settings = reader.chain().settings();
    Segments segments = new Segments(files, settings, epoch, LogRepair.kept(reader));
    Recovery recovery = new Recovery(reader, repair);
    WriteAheadLog log = new WriteAheadLog(segments, settings, epoch, position, recovery);
    reader.taken();
    return log;
  }

  private static WriteAheadLog established(WriteAheadLog log) throws IOException {
    try {
      log.establish();
      return log;
    } catch (IOException | RuntimeException | Error e) {
      try {
        log.close();
      } catch (IOException | RuntimeException | Error onClose) {
        e.addSuppressed(onClose);
      }
      throw e;
    }
  }

  /**
   * Makes a planned log what it says it is: removes what an interrupted creation left and creates
   * the first segment; or cuts off the torn tail, deletes segments that do not belong to the log
   * any more, and syncs what was read. When it returns the log can be written and answers may be
   * given.
   *
   * @throws IOException if the disk fails; the log can only be closed then
   */
  public void establish() throws IOException {
    missing.run(segments);
    missing = null;
  }

  /**
   * Reserves space for one record. It prepares segments, which may take as long as writing one, and
   * waits while too much waits to be written; so it is called before the commit takes its
   * timestamp. An interrupt does not end the wait.
   *
   * <p>Threads: any.
   *
   * @param payloadBytes what the record's payload will have, from 1 to 1 GiB
   * @throws IOException if the disk is full or fails, or the log has failed before; nothing is
   *     reserved then, nor ever after
   * @throws OutOfMemoryError if there is no memory for a segment's header; nothing is reserved then
   */
  public void reserve(int payloadBytes) throws IOException {
    assert missing == null : "a planned log is not written: " + this;
    int bytes = LogRecord.bytes(payloadBytes);
    long limit = admit(bytes);
    boolean prepared = false;
    try {
      segments.prepare(limit);
      prepared = true;
    } catch (IOException e) {
      refusal.compareAndSet(null, e);
      throw e;
    } finally {
      if (!prepared) {
        promised.addAndGet(-bytes);
        announce();
      }
    }
  }

  /**
   * Gives back what {@link #reserve} reserved for a record that will not be appended. Threads: any.
   */
  public void release(int payloadBytes) {
    promised.addAndGet(-LogRecord.bytes(payloadBytes));
    announce();
  }

  /**
   * Puts a record at the end of the log. Never waits and never fails. The caller holds the lock
   * that orders commits.
   *
   * @param payload what remains in it is the record; it belongs to the log now and must not be
   *     changed
   * @return the position behind the record: it is durable when {@link #durable} is not below
   */
  public long append(ByteBuffer payload) {
    long next = end + LogRecord.bytes(payload.remaining());
    assert next <= promised.get() : "A2: append without reserve: " + this;
    if (failure.get() == null) {
      queue.add(payload);
    }
    end = next;
    Thread writer = waiting;
    if (writer != null) {
      LockSupport.unpark(writer);
    }
    return next;
  }

  /**
   * Waits until something is appended and not yet written, or a thread unparks the writer, as
   * closing does. An interrupt ends the wait; the flag is restored. Threads: the writer.
   *
   * @param nanos how long to wait at most
   * @return whether there is something; false also when the log has failed
   */
  public boolean awaitWork(long nanos) {
    boolean interrupted = false;
    waiting = Thread.currentThread();
    try {
      if (end == written && failure.get() == null) {
        LockSupport.parkNanos(this, nanos);
        interrupted = Thread.interrupted();
      }
    } finally {
      waiting = null;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return end != written && failure.get() == null;
  }

  /**
   * Writes all records that are appended by now, and syncs if asked. Threads: one at a time, the
   * others wait.
   *
   * @param sync whether all that was ever appended before this call shall be durable when it
   *     returns
   * @return the position up to which the log is durable if {@code sync}, else written
   * @throws IOException if this or an earlier write failed
   */
  public synchronized long write(boolean sync) throws IOException {
    check(failure);
    long target = end;
    try {
      drainTo(target);
      if (sync && durable < target) {
        output.sync();
        durable = target;
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      throw e;
    }
    announce();
    return target;
  }

  /**
   * Sees to it that the log is durable up to {@code position}, and with it all that is appended by
   * now. Does nothing where it is. Threads: one at a time, the others wait, and often find that it
   * has been done.
   *
   * @param position not above {@link #end}
   * @throws IOException if this or an earlier write failed
   */
  public synchronized void syncTo(long position) throws IOException {
    if (durable < position) {
      write(true);
    }
  }

  /**
   * Hands the log to the operating system up to {@code position}, and with it all that is appended
   * by now, without a sync: records that are there survive the end of the process but not a power
   * cut. Does nothing where it is there already. Threads: one at a time, the others wait, and often
   * find that it has been done.
   *
   * @param position not above {@link #end}
   * @throws IOException if this or an earlier write failed
   */
  public void writeTo(long position) throws IOException {
    if (written >= position) {
      return;
    }
    synchronized (this) {
      if (written < position) {
        write(false);
      }
    }
  }

  /** The position behind the last appended record. */
  public long end() {
    return end;
  }

  /** The position up to which all records survive a power cut. */
  public long durable() {
    return durable;
  }

  /** The first failure of a write or a sync, or null. */
  public Throwable failure() {
    return failure.get();
  }

  /**
   * Gives up segments that lie wholly before {@code position}, except the last one: their files are
   * kept to become new segments as far as the settings allow, or deleted.
   *
   * @param position not above what is durable; a manifest from which replay starts there, or later,
   *     must be in place
   * @throws IllegalArgumentException if it is above what is durable
   */
  public void truncateBefore(long position) throws IOException {
    if (position > durable) {
      throw new IllegalArgumentException(
          "log is needed: position=" + position + ", durable=" + durable);
    }
    segments.giveBackBefore(position);
  }

  /** Bytes of all segment files, prepared and kept ones included. */
  public long bytes() {
    return segments.bytes();
  }

  /**
   * Closes the files, and deletes those that were only kept to become new segments. Appended
   * records that are not written are dropped, written ones are not synced.
   */
  @Override
  public synchronized void close() throws IOException {
    boolean whole = failure.compareAndSet(null, new IOException("log is closed"));
    announce();
    if (missing != null) {
      missing.abandon();
    }
    segments.close();
    if (whole) {
      segments.deleteSpare();
    }
  }

  @Override
  public String toString() {
    return "WriteAheadLog[durable="
        + durable
        + ", written="
        + written
        + ", end="
        + end
        + ", promised="
        + promised
        + ", failure="
        + failure
        + "]";
  }

  private void drainTo(long target) throws IOException {
    if (written == target) {
      return;
    }
    long position = written;
    while (position < target) {
      ByteBuffer payload = queue.poll(); // there, since end is raised after the record is queued
      position += LogRecord.bytes(payload.remaining());
      output.put(payload, durable);
    }
    long flushed = output.flush();
    assert flushed == target && position == target : flushed + ", " + position + ", " + target;
    written = target;
  }

  /** Adds to what is promised, once not too much waits to be written, and returns the sum. */
  private long admit(int bytes) throws IOException {
    while (true) {
      check(failure);
      check(refusal);
      long before = promised.get();
      if (before - written > settings.pendingLimit()) {
        Waiting.require("the log to be written");
        awaitDrain();
      } else if (promised.compareAndSet(before, before + bytes)) {
        return before + bytes;
      }
    }
  }

  private void awaitDrain() {
    boolean interrupted = false;
    synchronized (drained) {
      while (promised.get() - written > settings.pendingLimit() && failure.get() == null) {
        try {
          drained.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Wakes the threads that wait for less to be pending; they see what changed before the call. */
  private void announce() {
    synchronized (drained) {
      drained.notifyAll();
    }
  }

  private void fail(Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      announce();
      Thread writer = waiting;
      if (writer != null) {
        LockSupport.unpark(writer);
      }
    }
  }

  private static void check(AtomicReference<Throwable> first) throws IOException {
    Throwable cause = first.get();
    if (cause != null) {
      throw new IOException("log has failed: cause=" + cause.getMessage(), cause);
    }
  }
}
