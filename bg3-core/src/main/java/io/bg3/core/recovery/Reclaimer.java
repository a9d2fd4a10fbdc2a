package io.bg3.core.recovery;

import io.bg3.core.entry.Horizon;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties extents that are live in part: copies the images in them that the page table names, so
 * that the next manifest names the copies, and the extents go with it. A {@link ValueMover} does
 * the same for large values.
 *
 * <pre>
 *   round     choose victims │ slice │ slice │ … │ checkpoint: victims are dead, deleted
 *   slice     next pages: read image, append copy, change row
 *             then: next large values
 * </pre>
 *
 * <ul>
 *   <li>E-1: this decides nowhere that an extent is dead. An extent goes when nothing in it is live
 *       by the accounting of all flushes and checkpoints (R24). An image that is overlooked or
 *       cannot be read keeps its extent.
 *   <li>E-2: a copy has the payload of its image, byte for byte. So a thread that loads the page
 *       meanwhile, and reads half of the old row and half of the new one, reads two images of the
 *       same content, and needs no lock.
 *   <li>E-3: slices come between two checkpoints, or between two pages that a checkpoint writes; in
 *       a checkpoint no value is moved (R53).
 *   <li>E-4: an image that the last manifest names is kept until the next one; any other is garbage
 *       as soon as its copy is in the row.
 * </ul>
 *
 * <p>Copying is optional. It never takes the last space of a disk, a disk that is full ends the
 * round and not the store, and a round that has freed nothing is followed by none before the store
 * has been written to.
 *
 * <p>Threads: guarded by the {@link RowLock}, but for the figures.
 */
final class Reclaimer {
  private static final Logger LOG = LoggerFactory.getLogger(Reclaimer.class);

  /** Bytes that are copied in one slice: no flush waits longer. */
  static final int SLICE_BYTES = 1 << 20;

  /**
   * Bytes of extents of values that are read in one slice: a leaf is looked at and written anew for
   * all of them at once.
   */
  private static final int VALUE_SLICE_BYTES = 4 << 20;

  /** Pages whose images are copied in one slice; each image is a read of the disk. */
  private static final int SLICE_PAGES = 256;

  /** Rows that are looked at in one slice. */
  private static final int SLICE_ROWS = 1 << 16;

  /** Extents for which the disk has to have room beside the copies and a checkpoint. */
  private static final int SPARE_EXTENTS = 4;

  /**
   * A round without progress is followed by none before this part of the live bytes is appended.
   */
  private static final int REST_SHARE = 32;

  /** Between two checkpoints the extents are looked at so many times for each that is written. */
  private static final int LOOKS = 4;

  private final PageTable table;
  private final NamedRows named;
  private final ExtentStore extents;
  private final ReclaimSettings settings;
  private final ValueMover values;

  private Set<Integer> victims = Set.of();
  private final Set<Integer> kept = new HashSet<>();

  /** Extents that were not emptied by a round, and how much is appended before the next tries. */
  private final Map<Integer, Long> waiting = new HashMap<>();

  private int next;
  private boolean ended; // a checkpoint comes before the next round

  // Read by any thread.
  private volatile long lookedAt; // in bytes appended ever
  private volatile long restsUntil;
  private volatile boolean awaitsCheckpoint;
  private volatile boolean active;
  private volatile boolean movesValues;
  private long expected;
  private volatile boolean resting; // nobody writes
  private volatile boolean lookedAtRest;
  private final long openedAt;
  private final AtomicLong rounds = new AtomicLong();
  private final AtomicLong vainRounds = new AtomicLong();
  private final AtomicLong unreadable = new AtomicLong();

  /** Reclaims extents of a store. */
  Reclaimer(OpenedStore store, ReclaimSettings settings, ValueMover values) {
    this.values = values;
    this.table = store.space().table();
    this.named = store.named();
    this.extents = store.extents();
    this.settings = settings;
    this.openedAt = extents.appendedEver();
    this.lookedAt = openedAt; // nothing is copied in a store that is only read
  }

  /**
   * The bytes of large values above what they may take, without extents that cannot be emptied now;
   * 0 or less if there are none, or no room to empty any.
   *
   * @param replacing bytes of values that the last checkpoint has not seen: if they have replaced
   *     others, as many are garbage that counts as live
   */
  long excessOfValues(long replacing) {
    if (settings.isOff() || extents.appendedEver() < restsUntil || !hasRoom(VALUE_SLICE_BYTES)) {
      return 0;
    }
    Set<Integer> waitingNow = waitingNow();
    List<ExtentUsage> values = ReclaimChoice.values(extents.usage());
    SpaceUsage space =
        SpaceUsage.of(
            values.stream().filter(usage -> !waitingNow.contains(usage.extent())).toList());
    return ReclaimChoice.isAbove(settings, space, extents.extentSize())
        ? (long) (space.written() - settings.maxAmplification() * (space.live() - replacing))
        : 0;
  }

  /** Whether all victims of a round are empty, and go with the next checkpoint. */
  boolean awaitsCheckpoint() {
    return awaitsCheckpoint;
  }

  /** Whether that is so, and a manifest that names the copies is enough: no value was moved. */
  boolean awaitsManifest() {
    return awaitsCheckpoint && !movesValues;
  }

  /**
   * Says what the last checkpoint has appended, with the flushes before it: the next one may append
   * as much.
   */
  void appends(long bytes) {
    expected = bytes;
  }

  /** Whether a round is under way, or something was written since the extents were looked at. */
  boolean mayHaveWork() {
    return active || (!awaitsCheckpoint && isLookDue());
  }

  private boolean isLookDue() {
    long now = extents.appendedEver();
    boolean isNews = lookedAt == Long.MIN_VALUE || now - lookedAt >= extents.extentSize() / LOOKS;
    boolean isForRest = resting && !lookedAtRest && now > openedAt;
    return !settings.isOff() && now >= restsUntil && (isNews || isForRest);
  }

  /**
   * Says whether anybody writes. While nobody does, extents are emptied until the store takes what
   * {@link ReclaimSettings#atRest} allows. Each round makes it smaller, and what a round could not
   * empty waits for a write, so that comes to an end.
   */
  void rests(boolean now) {
    if (!now) {
      lookedAtRest = false;
    }
    resting = now;
  }

  /** Whether a round has images left to copy. */
  boolean isActive() {
    return active;
  }

  /** Rounds that have begun. */
  long rounds() {
    return rounds.get();
  }

  /** Rounds that have freed nothing. */
  long vainRounds() {
    return vainRounds.get();
  }

  /** Extents that are kept because of an image in them that could not be read. */
  long unreadable() {
    return unreadable.get();
  }

  /**
   * Copies some images, or chooses the victims of a round first if one is due.
   *
   * @param result is told of the rows that change
   * @param horizon asked where extents may expire: those that do before long are not emptied (R46)
   * @return whether there is more to do before the next checkpoint
   * @throws IOException if the disk fails
   */
  boolean slice(FlushResult result, Supplier<Horizon> horizon) throws IOException {
    if (ended || (!active && !begin(horizon, Long.MAX_VALUE, true))) {
      return false;
    }
    boolean room = hasRoom(VALUE_SLICE_BYTES);
    if (room) {
      room = next < table.end() ? moveImages(result) : values.slice(VALUE_SLICE_BYTES);
    }
    if (!room) {
      LOG.info("extents are not emptied any further, because the disk is nearly full");
      end();
    } else if (next >= table.end() && !values.hasMore()) {
      end();
      awaitsCheckpoint = true;
    }
    return active;
  }

  /**
   * Copies some images while a checkpoint writes (R53), or chooses the victims of a round first if
   * one is due. No value is moved.
   *
   * @param most bytes that a round which begins may copy
   * @return whether there is more to copy in this round
   */
  boolean sliceOfImages(FlushResult result, Supplier<Horizon> horizon, long most)
      throws IOException {
    if (ended || (!active && !begin(horizon, most, false)) || next >= table.end()) {
      return false;
    }
    if (!hasRoom(SLICE_BYTES) || !moveImages(result)) {
      end();
    } else if (next >= table.end() && !values.hasMore()) {
      end();
      awaitsCheckpoint = true;
    }
    return active;
  }

  /** Copies images of the next pages; says whether there was room on the disk. */
  private boolean moveImages(FlushResult result) throws IOException {
    boolean room = true;
    long bytes = 0;
    int pages = 0;
    int end = Math.min(table.end(), next + SLICE_ROWS);
    while (room && next < end && bytes < SLICE_BYTES && pages < SLICE_PAGES) {
      PageRow row = table.row(next);
      if (hasImageInVictim(row)) {
        long before = extents.appendedBytes();
        room = move(next, row, result);
        bytes += extents.appendedBytes() - before;
        pages++;
      }
      next += room ? 1 : 0;
    }
    return room;
  }

  /** Ends the round, which does not ask for a checkpoint, but waits for the next one. */
  private void end() {
    ended = true;
    active = false;
  }

  /**
   * Says that a manifest of rows has been written, and what was dead has been deleted. A round that
   * has moved values waits for a checkpoint.
   */
  void rowsNamed() {
    if (awaitsCheckpoint && movesValues) {
      lookedAt = Long.MIN_VALUE;
    } else {
      checkpointed();
    }
  }

  /** Says that a manifest has been written, and what was dead has been deleted. */
  void checkpointed() {
    lookedAt = Long.MIN_VALUE; // now it is known what is garbage
    lookedAtRest = false;
    if (!ended) {
      return;
    }
    Set<Integer> left =
        extents.usage().stream().map(ExtentUsage::extent).collect(Collectors.toSet());
    left.retainAll(victims);
    left.forEach(this::rest);
    if (left.size() == victims.size()) {
      vainRounds.incrementAndGet();
      restsUntil = extents.appendedEver() + rest();
    }
    victims = Set.of();
    ended = false;
    awaitsCheckpoint = false;
  }

  /** Has an extent that a round has not emptied wait; for ever, if it cannot be read. */
  private void rest(int extent) {
    waiting.put(extent, extents.appendedEver() + rest());
    if (values.isDamaged(extent) && kept.add(extent)) {
      unreadable.incrementAndGet();
    }
  }

  private long rest() {
    return Math.max(extents.liveBytes() / REST_SHARE, spareExtents());
  }

  /** Begins a round if there is too much garbage; looks only when something was written. */
  private boolean begin(Supplier<Horizon> horizon, long most, boolean withValues)
      throws IOException {
    if (!isLookDue()) {
      return false;
    }
    lookedAt = extents.appendedEver();
    lookedAtRest = resting;
    ReclaimSettings bound = resting ? settings.atRest() : settings.near();
    List<ExtentUsage> usage = withoutExpiring(extents.usage(), horizon);
    Set<Integer> waitingNow = waitingNow();
    long room = Math.min(most, Math.max(0, usableBytes() - spare()));
    List<ExtentUsage> images =
        chosen(ReclaimChoice.images(usage), waitingNow, bound, room, expected, named.keptBytes());
    room -= SpaceUsage.of(images).live();
    List<ExtentUsage> large =
        withValues ? chosen(ReclaimChoice.values(usage), waitingNow, bound, room, 0, 0) : List.of();
    victims = new HashSet<>();
    images.forEach(victim -> victims.add(victim.extent()));
    large.forEach(victim -> victims.add(victim.extent()));
    if (victims.isEmpty()) {
      return false;
    }
    for (int victim : victims) {
      extents.sealTail(victim);
    }
    movesValues = !large.isEmpty();
    values.begin(large.stream().map(ExtentUsage::extent).toList());
    next = images.isEmpty() ? table.end() : 1;
    rounds.incrementAndGet();
    active = true;
    return true;
  }

  private static List<ExtentUsage> withoutExpiring(
      List<ExtentUsage> usage, Supplier<Horizon> horizon) {
    if (usage.stream().noneMatch(each -> each.family() > 0)) {
      return usage;
    }
    Horizon now = horizon.get();
    return usage.stream().filter(each -> !ExtentExpiry.isNear(each, now)).toList();
  }

  private List<ExtentUsage> chosen(
      List<ExtentUsage> usage,
      Set<Integer> without,
      ReclaimSettings bound,
      long room,
      long expectedBytes,
      long superseded) {
    return ReclaimChoice.victims(
        usage,
        without,
        bound,
        extents.window(),
        extents.extentSize(),
        room,
        resting ? 0 : expectedBytes,
        superseded);
  }

  /** The extents that are not emptied now. */
  private Set<Integer> waitingNow() {
    waiting.values().removeIf(until -> until <= extents.appendedEver());
    Set<Integer> all = new HashSet<>(kept);
    all.addAll(waiting.keySet());
    return all;
  }

  private long spareExtents() {
    return (long) SPARE_EXTENTS * extents.extentSize();
  }

  /**
   * Bytes of the disk that copies leave free: room for a few extents, and for a checkpoint, which
   * writes no more than what is in memory.
   */
  private long spare() {
    return spareExtents() + table.budget().used();
  }

  private boolean hasRoom(long bytes) {
    return usableBytes() >= bytes + spare();
  }

  /** Bytes that the disk has left; 0 if it does not tell, so that nothing is copied to it. */
  private long usableBytes() {
    try {
      return extents.usableBytes();
    } catch (IOException e) {
      LOG.warn("the free space of the disk cannot be read", e);
      return 0;
    }
  }

  /**
   * Copies the images of a page that lie in victims. A removed page is passed over: the next
   * manifest does not name it.
   *
   * @param old row of the page
   * @return false if there was no room on the disk
   */
  private boolean move(int page, PageRow old, FlushResult result) throws IOException {
    if (isRemoved(page)) {
      return true;
    }
    long base = copied(page, old.base());
    if (base == Location.NONE && old.base() != Location.NONE) {
      return false;
    }
    long delta = copied(page, old.delta());
    boolean room = delta != Location.NONE || old.delta() == Location.NONE;
    PageRow now = new PageRow(base, room ? delta : old.delta());
    if (!now.equals(old)) {
      result.moves(page, old, now);
      table.store(page, now.base(), now.delta());
      result.moved(page, old, now);
    }
    return room;
  }

  private boolean hasImageInVictim(PageRow row) {
    return isVictim(row.base()) || isVictim(row.delta());
  }

  private boolean isVictim(long location) {
    return location != Location.NONE && victims.contains(Location.extent(location));
  }

  private boolean isRemoved(int page) {
    return table.block(page) == PageTable.DEAD;
  }

  /**
   * Copies an image if it lies in a victim and can be read.
   *
   * @return where it is now; {@link Location#NONE} if the disk is full, or there is no image
   */
  private long copied(int page, long location) throws IOException {
    if (!isVictim(location)) {
      return location;
    }
    ExtentRecord image = read(page, location);
    if (image == null) {
      return location;
    }
    try {
      return extents.appendMoved(image);
    } catch (IOException e) {
      if (extents.failure() != null) {
        throw e;
      }
      return Location.NONE;
    }
  }

  /** An image of a page; null if it cannot be read, which is told to the thread that needs it. */
  private ExtentRecord read(int page, long location) {
    Exception why;
    try {
      ExtentRecord image = extents.read(location);
      if (image.key() == page) {
        return image;
      }
      why = new IllegalStateException("it is an image of page " + image.key());
    } catch (UnreadableException | NoSuchExtentException | IOException e) {
      why = e;
    }
    if (kept.add(Location.extent(location))) {
      unreadable.incrementAndGet();
      LOG.warn(
          "an extent is not emptied, because an image in it cannot be read: page={}, location={},"
              + " reason={}",
          page,
          Location.toString(location),
          why.getMessage());
    }
    return null;
  }
}
