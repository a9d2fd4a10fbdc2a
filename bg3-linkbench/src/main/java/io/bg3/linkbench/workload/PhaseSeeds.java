package io.bg3.linkbench.workload;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Random;

/**
 * Gives out the seeds of a phase, derived from the one of the configuration as LinkBench derives
 * them, so that the same seed makes the same requests there and here.
 *
 * <p>Threads: one.
 */
public final class PhaseSeeds {
  private final long seed;
  private final SecureRandom master;

  private PhaseSeeds(long seed) {
    this.seed = seed;
    try {
      this.master = SecureRandom.getInstance("SHA1PRNG");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA1PRNG", e);
    }
    master.setSeed(ByteBuffer.allocate(Long.BYTES).putLong(seed).array());
    master.nextLong(); // LinkBench logs the first
  }

  /** From the seed that a key names, else from one that is new each time. */
  public static PhaseSeeds of(Config config, String key) {
    return new PhaseSeeds(
        config.has(key) ? config.number(key) : System.nanoTime() ^ key.hashCode());
  }

  /** The seed from which the others are derived. */
  public long seed() {
    return seed;
  }

  /** The next seed, as a source of random numbers. */
  public Random next() {
    return new PlainRandom(master.nextLong());
  }
}
