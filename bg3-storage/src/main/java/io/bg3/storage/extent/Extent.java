package io.bg3.storage.extent;

import io.bg3.storage.format.FileHeader;
import io.bg3.storage.format.FileKind;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One extent: its name, how far it is written, and how much of it is wanted.
 *
 * <p>The file is a {@link FileHeader} of kind {@code extent}, whose number is the extent's number
 * with the stream's code in the upper half, and records, each at a multiple of 8 and without gaps
 * but for places whose write failed.
 *
 * <ul>
 *   <li>E1: what lies in [{@value #FIRST_RECORD}, written) is given to records; no place is given
 *       twice, but one whose writing has failed and that nobody knows.
 *   <li>E2: a sealed extent gives no more places. Writes to places given before may still be under
 *       way.
 *   <li>E3: a record is live from the moment its place is given, so an extent with a write under
 *       way is not dead.
 * </ul>
 *
 * <p>Guard: {@code this}; {@code verified} and {@code deleted} go from false to true once.
 */
final class Extent {
  static final FileKind FILE_KIND = new FileKind("extent", 1, 1);

  /** Offset of the first record. */
  static final int FIRST_RECORD = FileHeader.BYTES;

  private static final Pattern NAME = Pattern.compile("extent-[a-z]+-[0-9a-f]{8}");

  private final int number;
  private final Stream stream;
  private final boolean moved;
  private final int family;
  private boolean sealed;
  private long written;
  private long stored;
  private long live;
  private long liveRecords;
  private long newest;
  private double garbage;
  private long windowEnd;

  /** Whether this process has seen the right header in the file. */
  private volatile boolean verified;

  /** Whether nobody may open the file any more. */
  private volatile boolean deleted;

  /**
   * A new extent.
   *
   * @param moved whether it is for records from other extents
   * @param family what its records expire with; 0 if they do not
   * @param time milliseconds since 1970
   * @param appended bytes that were appended to all extents
   */
  Extent(int number, Stream stream, boolean moved, int family, long time, long appended) {
    this(
        new ExtentUsage(
            number, stream, false, moved, family, FIRST_RECORD, 0, 0, 0, time, 0, appended));
  }

  /** An extent that the manifest names. */
  Extent(ExtentUsage row) {
    this.number = row.extent();
    this.stream = row.stream();
    this.moved = row.moved();
    this.family = row.family();
    this.sealed = row.sealed();
    this.written = row.written();
    this.stored = row.stored();
    this.live = row.live();
    this.liveRecords = row.liveRecords();
    this.newest = row.newest();
    this.garbage = row.garbage();
    this.windowEnd = row.windowEnd();
  }

  static boolean isName(String file) {
    Matcher matcher = NAME.matcher(file);
    return matcher.matches();
  }

  /** Whether a file with the name of an extent has this number. */
  static boolean isNumbered(String file, int number) {
    return file.endsWith("-" + HexFormat.of().toHexDigits(number));
  }

  String fileName() {
    return "extent-" + stream.fileName() + "-" + HexFormat.of().toHexDigits(number);
  }

  FileHeader header(long store) {
    return new FileHeader(FILE_KIND, store, headerNumber());
  }

  long headerNumber() {
    return (long) stream.code() << Integer.SIZE | Integer.toUnsignedLong(number);
  }

  int number() {
    return number;
  }

  Stream stream() {
    return stream;
  }

  /** Whether its records come from other extents. */
  boolean isMoved() {
    return moved;
  }

  /** The family that its records expire with; 0 if they do not expire. */
  int family() {
    return family;
  }

  synchronized long newest() {
    return newest;
  }

  boolean isVerified() {
    return verified;
  }

  void setVerified() {
    verified = true;
  }

  boolean isDeleted() {
    return deleted;
  }

  void setDeleted() {
    deleted = true;
  }

  synchronized boolean isSealed() {
    return sealed;
  }

  synchronized void seal() {
    sealed = true;
  }

  synchronized long written() {
    return written;
  }

  /**
   * Gives the next place to a record, which is live from now on, and returns its location.
   *
   * @param time milliseconds since 1970
   */
  synchronized long give(long bytes, long time) {
    assert !sealed : "E2: " + this;
    long location = Location.of(number, written, bytes);
    written += bytes;
    stored += Location.bytes(location);
    newest = Math.max(newest, time);
    count(location);
    return location;
  }

  /**
   * Takes back the place of a record that was not written, if it is the last one and the extent
   * gives more.
   *
   * @return whether it did
   */
  synchronized boolean takeBack(long location, long bytes) {
    if (sealed || Location.offset(location) + bytes != written) {
      return false;
    }
    written -= bytes;
    stored -= Location.bytes(location);
    live -= Location.bytes(location);
    liveRecords--;
    return true;
  }

  /** Counts a record as live. */
  synchronized void count(long location) {
    live += Location.bytes(location);
    liveRecords++;
    if (live > stored) {
      throw new AssertionError("U1: location=" + Location.toString(location) + ", " + this);
    }
  }

  /**
   * Counts a record as garbage.
   *
   * @param appended bytes that were appended to all extents until now
   * @param window see {@link ExtentStore#window}
   */
  synchronized void release(long location, long appended, long window) {
    long bytes = Location.bytes(location);
    // Always checked: an extent that seems dead too early is deleted with what lives in it.
    if (liveRecords == 0 || live < bytes || (liveRecords == 1) != (live == bytes)) {
      throw new AssertionError("U1: released=" + Location.toString(location) + ", " + this);
    }
    live -= bytes;
    liveRecords--;
    decay(appended, window);
    garbage += bytes;
  }

  synchronized boolean isDead() {
    return sealed && liveRecords == 0;
  }

  synchronized ExtentUsage usage(long appended, long window) {
    decay(appended, window);
    return new ExtentUsage(
        number,
        stream,
        sealed,
        moved,
        family,
        written,
        stored,
        live,
        liveRecords,
        newest,
        garbage,
        windowEnd);
  }

  /** The window ends now; a thread that counted the bytes earlier leaves it where it is. */
  private void decay(long appended, long window) {
    if (appended > windowEnd) {
      garbage *= Math.exp(-(double) (appended - windowEnd) / window);
      windowEnd = appended;
    }
  }

  @Override
  public String toString() {
    return "Extent[file="
        + fileName()
        + ", sealed="
        + sealed
        + ", written="
        + written
        + ", stored="
        + stored
        + ", live="
        + live
        + ", liveRecords="
        + liveRecords
        + "]";
  }
}
