package io.bg3.linkbench.workload;

import java.util.Random;

/**
 * Chooses the other end of links. Links that were loaded from id1 end at id1, id1 + 1 and so on; a
 * request draws from a range that is larger than what was loaded by as much as it should miss.
 *
 * <p>Threads: any.
 */
final class LinkTargetChooser {
  /** The share of requested ends that were loaded. */
  static final double GET = 0.5;

  /** The share of updated links that were loaded. */
  static final double UPDATE = 0.9;

  /** The share of deleted links that were loaded. */
  static final double DELETE = 0.9;

  /** The share of added links that were loaded. */
  static final double ADD = 0.05;

  private static final int TRIES = 101;

  private final NodeDegrees degrees;
  private final int anyBelow;
  private final boolean own;
  private final int requester;
  private final int requesters;

  LinkTargetChooser(Config config, NodeDegrees degrees, int requester, int requesters) {
    this.degrees = degrees;
    this.anyBelow = config.count("randomid2max", 0, 0, Integer.MAX_VALUE);
    this.own = config.count("id2gen_config", 0, 0, 1) == 1;
    this.requester = requester;
    this.requesters = requesters;
  }

  /** The end of the {@code n}-th link that is loaded. */
  long forLoad(Random random, long id1, long n) {
    return anyBelow == 0 ? id1 + n : random.nextInt(anyBelow);
  }

  long one(Random random, long id1, long type, double existing) {
    return draw(random, id1, range(id1, type, existing));
  }

  long[] several(Random random, long id1, long type, int count, double existing) {
    int range = range(id1, type, existing);
    long[] ends = new long[count];
    for (int i = 0; i < count; i++) {
      if (range <= count && anyBelow == 0) {
        ends[i] = settled(id1 + i);
        continue;
      }
      int tries = 0;
      do {
        ends[i] = draw(random, id1, range);
      } while (contains(ends, i, ends[i]) && ++tries < TRIES);
    }
    return ends;
  }

  private int range(long id1, long type, double existing) {
    double range = Math.ceil(1 / existing * degrees.count(id1, type));
    return (int) Math.max(1, Math.min(range, Integer.MAX_VALUE));
  }

  private long draw(Random random, long id1, int range) {
    return settled(anyBelow == 0 ? id1 + random.nextInt(range) : random.nextInt(anyBelow));
  }

  /** The chosen end, or one near it that only this requester chooses where that is asked for. */
  private long settled(long id2) {
    if (!own) {
      return id2;
    }
    long mine = id2 - id2 % requesters + requester;
    return anyBelow > 0 && mine > anyBelow ? mine - requesters : mine;
  }

  private static boolean contains(long[] ends, int count, long end) {
    for (int i = 0; i < count; i++) {
      if (ends[i] == end) {
        return true;
      }
    }
    return false;
  }
}
