package io.bg3.core.recovery;

import io.bg3.core.entry.Horizon;
import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties extents that are live in part: has the images in them copied that the page table names
 * ({@link ImageMover}), so that the next manifest names the copies, and the extents go with it. A
 * {@link ValueMover} does the same for large values.
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

  /**
   * Bytes of extents of values that are read in one slice: a leaf is looked at and written anew for
   * all of them at once.
   */
  private static final int VALUE_SLICE_BYTES = 4 << 20;

  /** Extents for which the disk has to have room beside the copies and a checkpoint. */
  private static final int SPARE_EXTENTS = 4;

  /**
   * A round without progress is followed by none before this part of the live bytes is appended.
   */
  private static final int REST_SHARE = 32;

  /** Between two checkpoints the extents are looked at so many times for each that is written. */
  private static final int LOOKS = 4;

  private final OpenedStore store;
  private final CheckpointSource source;
  private final CheckpointSync sync;
  private final PageTable table;
  private final NamedRows named;
  private final ExtentStore extents;
  private final ReclaimSettings settings;
  private final ImageMover images;
  private final ValueMover values;

  private Set<Integer> victims = Set.of();

  /** Extents that are kept because of a value in them that could not be read. */
  private final Set<Integer> kept = ConcurrentHashMap.newKeySet();

  /** Extents that were not emptied by a round, and how much is appended before the next tries. */
  private final Map<Integer, Long> waiting = new HashMap<>();

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

  /** Reclaims extents of a store. */
  Reclaimer(
      OpenedStore store, CheckpointSource source, CheckpointSync sync, ReclaimSettings settings) {
    this.store = store;
    this.source = source;
    this.sync = sync;
    this.images = new ImageMover(store);
    this.values = new ValueMover(store, source::horizon);
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

  /** Extents that are kept because of an image or a value in them that could not be read. */
  long unreadable() {
    return (long) kept.size() + images.unreadable().size();
  }

  /**
   * Copies some images, or chooses the victims of a round first if one is due.
   *
   * @return whether there is more to do before the next checkpoint
   * @throws IOException if the disk fails
   */
  boolean slice() throws IOException {
    if (ended || (!active && !begin(Long.MAX_VALUE, true))) {
      return false;
    }
    boolean room = hasRoom(VALUE_SLICE_BYTES);
    if (room) {
      room = images.hasMore() ? images.slice(result()) : values.slice(VALUE_SLICE_BYTES);
    }
    if (!room) {
      LOG.info("extents are not emptied any further, because the disk is nearly full");
      end();
    } else if (!images.hasMore() && !values.hasMore()) {
      end();
      awaitsCheckpoint = true;
    }
    sync.bound();
    return active;
  }

  /**
   * Copies some images while a checkpoint writes (R53), or chooses the victims of a round first if
   * one is due. No value is moved.
   *
   * @param most bytes that a round which begins may copy
   * @return whether there is more to copy in this round
   */
  boolean sliceOfImages(long most) throws IOException {
    if (ended || (!active && !begin(most, false)) || !images.hasMore()) {
      return false;
    }
    if (!hasRoom(ImageMover.SLICE_BYTES) || !images.slice(result())) {
      end();
    } else if (!images.hasMore() && !values.hasMore()) {
      end();
      awaitsCheckpoint = true;
    }
    sync.bound();
    return active;
  }

  private FlushResult result() {
    return new FlushResult(store, source::storedValues, FlushResult.Progress.NONE);
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
    if (values.isDamaged(extent)) {
      kept.add(extent);
    }
  }

  private long rest() {
    return Math.max(extents.liveBytes() / REST_SHARE, spareExtents());
  }

  /** Begins a round if there is too much garbage; looks only when something was written. */
  private boolean begin(long most, boolean withValues) throws IOException {
    if (!isLookDue()) {
      return false;
    }
    lookedAt = extents.appendedEver();
    lookedAtRest = resting;
    ReclaimSettings bound = resting ? settings.atRest() : settings.near();
    List<ExtentUsage> usage = withoutExpiring(extents.usage(), source::horizon);
    Set<Integer> waitingNow = waitingNow();
    long room = Math.min(most, Math.max(0, usableBytes() - spare()));
    List<ExtentUsage> ofImages =
        chosen(ReclaimChoice.images(usage), waitingNow, bound, room, expected, named.keptBytes());
    room -= SpaceUsage.of(ofImages).live();
    List<ExtentUsage> ofValues =
        withValues ? chosen(ReclaimChoice.values(usage), waitingNow, bound, room, 0, 0) : List.of();
    victims = new HashSet<>(extents(ofImages));
    victims.addAll(extents(ofValues));
    if (victims.isEmpty()) {
      return false;
    }
    for (int victim : victims) {
      extents.sealTail(victim);
    }
    movesValues = !ofValues.isEmpty();
    images.begin(extents(ofImages));
    values.begin(extents(ofValues));
    rounds.incrementAndGet();
    active = true;
    return true;
  }

  private static List<Integer> extents(List<ExtentUsage> usage) {
    return usage.stream().map(ExtentUsage::extent).toList();
  }

  /** Extents that expire before long are not emptied (R46). */
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
    all.addAll(images.unreadable());
    all.addAll(waiting.keySet());
    return all;
  }

  private long spareExtents() {
    return (long) SPARE_EXTENTS * extents.extentSize();
  }

  /**
   * Bytes of the disk that copies leave free: room for a few extents, and for a checkpoint, which
   * writes no more than what is in memory, and no large value.
   */
  private long spare() {
    return spareExtents() + table.budget().used() - store.space().largeValues().bytes();
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
}
