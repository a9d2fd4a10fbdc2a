package io.bg3.core.entry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The locations of the large values that the entries of a page refer to, those of the newest
 * versions of their keys first.
 *
 * @param locations each once
 * @param lasting how many of them are the newest version's; the others are read by snapshots only
 *     that are open now
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LargeValueLocations(long[] locations, int lasting) {
  /** None. */
  public static final LargeValueLocations NONE = new LargeValueLocations(new long[0], 0);

  /** Those of sorted entries whose older versions are marked as such. */
  public static LargeValueLocations of(Entries entries) {
    long[] locations = new long[entries.count()];
    int count = add(entries, false, locations, 0);
    int all = add(entries, true, locations, count);
    return new LargeValueLocations(Arrays.copyOf(locations, all), count);
  }

  private static int add(Entries entries, boolean older, long[] locations, int count) {
    int next = count;
    for (int i = 0; i < entries.count(); i++) {
      int op = entries.op(i);
      if (Op.isLocation(op) && Op.isOlder(op) == older) {
        locations[next++] =
            ByteBuffer.wrap(entries.value(i)).order(ByteOrder.LITTLE_ENDIAN).getLong();
      }
    }
    return next;
  }

  /** These, and behind them those of others that are not among them, which do not last. */
  public LargeValueLocations with(LargeValueLocations others) {
    long[] more =
        Arrays.stream(others.locations)
            .filter(other -> Arrays.stream(locations).noneMatch(own -> own == other))
            .toArray();
    if (more.length == 0) {
      return this;
    }
    long[] all = Arrays.copyOf(locations, locations.length + more.length);
    System.arraycopy(more, 0, all, locations.length, more.length);
    return new LargeValueLocations(all, lasting);
  }

  /** Whether some are referred to by older versions only. */
  public boolean hasOlder() {
    return lasting < locations.length;
  }

  /** Those that only snapshots read that are open now. */
  public LargeValueLocations withoutLasting() {
    return new LargeValueLocations(Arrays.copyOfRange(locations, lasting, locations.length), 0);
  }

  /** Whether a location is among them. */
  public boolean has(long location) {
    return Arrays.stream(locations).anyMatch(own -> own == location);
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return locations.length == 0;
  }
}
