package io.bg3.linkbench.workload;

import java.util.Random;

/**
 * Makes payloads: how large they are, and bytes of a range that compress about as well as
 * Facebook's do.
 *
 * <p>Threads: one.
 */
final class Payload {
  private static final String PACKAGE = "com.facebook.LinkBench.generators.";
  private static final int MOTIF_BYTES = 512;
  private static final int PIECE = 128;
  private static final int LARGEST_LINK = 255;
  private static final int LARGEST_NODE = 1 << 20;

  private final LogNormal sizes;
  private final int lowest;
  private final int range;

  /** The share of pieces that are drawn and not copied from the motif; above 1 there is none. */
  private final double fresh;

  private byte[] motif;

  private Payload(Config config, String generator, LogNormal sizes) {
    this.sizes = sizes;
    this.lowest = config.count(generator + "_startbyte", 0, 255);
    int highest = config.count(generator + "_endbyte", 0, 255);
    this.range = highest - lowest + 1;
    if (range < 2) {
      throw new ConfigException(
          "must be above the first byte: key=" + generator + "_endbyte, value=" + highest);
    }
    String name = config.text(generator);
    switch (name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : name) {
      case "UniformDataGenerator" -> fresh = 2;
      case "MotifDataGenerator" -> fresh = config.real(generator + "_uniqueness");
      default ->
          throw new ConfigException(
              "not a data generator: key="
                  + generator
                  + ", value="
                  + name
                  + ", allowed=UniformDataGenerator, MotifDataGenerator");
    }
  }

  /** Payloads of links, from the keys of one generator, such as {@code link_add_datagen}. */
  static Payload ofLinks(Config config, String generator) {
    return new Payload(
        config, generator, new LogNormal(median(config, "link_datasize"), LARGEST_LINK));
  }

  /** Payloads of nodes, from the keys of one generator, such as {@code node_add_datagen}. */
  static Payload ofNodes(Config config, String generator) {
    return new Payload(
        config, generator, new LogNormal(median(config, "node_datasize"), LARGEST_NODE));
  }

  private static double median(Config config, String key) {
    double median = config.real(key);
    if (median <= 0) {
      throw new ConfigException("must be above 0: key=" + key + ", value=" + median);
    }
    return median;
  }

  /** Draws a size and that many bytes. */
  byte[] next(Random random) {
    byte[] data = new byte[sizes.choose(random)];
    if (fresh > 1) {
      draw(random, data, 0, data.length);
      return data;
    }
    if (motif == null) {
      // of this length always: LinkBench looks for the key of the length among the values
      motif = new byte[MOTIF_BYTES];
      draw(random, motif, 0, motif.length);
    }
    for (int at = 0; at < data.length; at += PIECE) {
      int length = Math.min(PIECE, data.length - at);
      if (random.nextDouble() < fresh) {
        draw(random, data, at, at + length);
      } else {
        System.arraycopy(motif, random.nextInt(MOTIF_BYTES - length + 1), data, at, length);
      }
    }
    return data;
  }

  private void draw(Random random, byte[] into, int from, int to) {
    for (int i = from; i < to; i++) {
      into[i] = (byte) (lowest + random.nextInt(range));
    }
  }
}
