package io.bg3.linkbench.workload;

import io.bg3.linkbench.model.CountRow;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.NodeRow;
import java.util.Random;
import java.util.function.Consumer;

/**
 * The data that a store is loaded with: all nodes in the order of their ids, and for each of them
 * its links. Links come in chunks of nodes; each chunk has random numbers of its own, so that what
 * is loaded does not depend on how many loaders there are.
 *
 * <p>Threads: any, but for one chunk or the nodes at a time.
 */
public final class LoadPlan {
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  private final Config config;
  private final NodeDegrees degrees;
  private final LinkTargetChooser ends;
  private final long now;
  private final long nodeSeed;
  private final long linkSeed;
  private final long first;
  private final long end;
  private final int chunkSize;

  /**
   * The plan of a configuration.
   *
   * @param now milliseconds since 1970: the links get times in the fifty days before
   */
  public LoadPlan(Config config, NodeDegrees degrees, PhaseSeeds seeds, long now) {
    this.config = config;
    this.degrees = degrees;
    this.ends = new LinkTargetChooser(config, degrees, 0, 1);
    this.now = now;
    this.nodeSeed = seeds.next().nextLong();
    this.linkSeed = seeds.next().nextLong();
    this.first = config.startId();
    this.end = config.endId();
    this.chunkSize = config.count("loader_chunk_size", 2_048, 1, Integer.MAX_VALUE);
    Payload.ofLinks(config, "link_add_datagen"); // what is wrong is said before the load begins
  }

  /** The first node's id. */
  public long firstId() {
    return first;
  }

  /** The number of nodes. */
  public long nodeCount() {
    return end - first;
  }

  /** The number of chunks of links. */
  public int chunks() {
    return Math.toIntExact((nodeCount() + chunkSize - 1) / chunkSize);
  }

  /** Makes all nodes. */
  public void nodes(Consumer<NodeRow> sink) {
    Random random = new PlainRandom(nodeSeed);
    Payload payload = Payload.ofNodes(config, "node_add_datagen");
    for (long id = first; id < end; id++) {
      sink.accept(new NodeRow(id, Config.NODE_TYPE, 1, (int) (now / 1_000), payload.next(random)));
    }
  }

  /**
   * Makes the links of a chunk, and after those of one type of one node their count.
   *
   * @return the number of nodes in the chunk
   */
  public int chunk(int number, Consumer<LinkRow> links, Consumer<CountRow> counts) {
    Random random = new PlainRandom(linkSeed + SPREAD * (number + 1L));
    Payload payload = Payload.ofLinks(config, "link_add_datagen");
    long from = first + (long) number * chunkSize;
    long to = Math.min(end, from + chunkSize);
    for (long id1 = from; id1 < to; id1++) {
      for (int t = 0; t < degrees.types(); t++) {
        long type = Config.FIRST_LINK_TYPE + t;
        long count = degrees.count(id1, type);
        long newest = Long.MIN_VALUE;
        for (long n = 0; n < count; n++) {
          long id2 = ends.forLoad(random, id1, n);
          byte[] data = payload.next(random);
          long time = now - Integer.MAX_VALUE - 1L + random.nextInt();
          newest = Math.max(newest, time);
          links.accept(new LinkRow(id1, type, id2, LinkRow.VISIBLE, 0, time, data));
        }
        if (count > 0) {
          counts.accept(new CountRow(id1, type, newest, 0, count));
        }
      }
    }
    return (int) (to - from);
  }
}
