package io.bg3.core.entry;

/**
 * Tells which entries have expired, by the clock of one snapshot, and remembers on which of the
 * others its transaction relies (R13).
 *
 * <p>An entry expires at the millisecond of its stamp plus the time to live of its label. It is
 * expired where the clock has reached that millisecond.
 *
 * <p>Belongs to one thread.
 */
public final class Expiry {
  /** Bits of a stamp below the milliseconds. */
  public static final int STAMP_SHIFT = 20;

  /** Of a snapshot that sees no entry with a time to live. */
  public static final Expiry NEVER = new Expiry(new Lifetimes(), 0);

  private final Lifetimes lifetimes;
  private final long clock;
  private boolean reliesOnScans;
  private long earliest = Long.MAX_VALUE;

  /**
   * @param clock the milliseconds that the snapshot has for its time
   */
  public Expiry(Lifetimes lifetimes, long clock) {
    this.lifetimes = lifetimes;
    this.clock = clock;
  }

  /** Lets what {@link #drop} leaves count as what the transaction relies on. */
  public void relyOnScans() {
    if (!lifetimes.isEmpty()) { // never of NEVER, which belongs to all
      reliesOnScans = true;
    }
  }

  /**
   * The first millisecond at which something has expired that the transaction relies on: a commit
   * at or behind it is refused.
   */
  public long earliest() {
    return earliest;
  }

  /**
   * Whether an entry has expired; the transaction relies on it if it has not.
   *
   * @param stamp of the entry; 0 if it has none, because its label has no time to live
   */
  public boolean hasExpired(int tagLabel, long stamp) {
    return hasExpired(tagLabel, stamp, true);
  }

  /** Whether an entry has expired, for a caller that does not rely on it otherwise. */
  boolean isPast(int tagLabel, long stamp) {
    return hasExpired(tagLabel, stamp, false);
  }

  /**
   * Whether all that a family wrote up to a millisecond has expired, or will within a share of its
   * time.
   *
   * @param share the part of the time to live that may be left: one of so many; 0 for none
   */
  boolean isFamilyPast(int family, long newest, int share) {
    long time = lifetimes.ofFamily(family);
    long left = share == 0 ? 0 : time / share;
    return time > 0 && newest + time - left <= clock;
  }

  /** Whether nothing ever expires by this. */
  public boolean isNever() {
    return lifetimes.isEmpty();
  }

  private boolean hasExpired(int tagLabel, long stamp, boolean relied) {
    if (stamp == 0) {
      return false;
    }
    long expires = expires(stamp, lifetimes.millis(tagLabel));
    if (expires <= clock) {
      return true;
    }
    if (relied && expires < earliest) {
      earliest = expires;
    }
    return false;
  }

  /** The millisecond from which on an entry is expired. */
  static long expires(long stamp, long lifetime) {
    long expires = (stamp >>> STAMP_SHIFT) + lifetime;
    return expires < 0 ? Long.MAX_VALUE : expires;
  }

  /** Takes the expired entries out of some that were copied from pages. */
  public void drop(Entries entries) {
    if (!entries.hasStamps() || !(entries instanceof EdgeEntries edges)) {
      return;
    }
    int kept = 0;
    int count = edges.count();
    for (int i = 0; i < count; i++) {
      if (!hasExpired(edges.tagLabel(i), edges.stamp(i), reliesOnScans)) {
        edges.move(i, kept++);
      }
    }
    edges.truncate(kept);
  }
}
