package io.bg3.linkbench.workload;

import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.NodeRow;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * The requests of one requester, without end. They follow from the seed alone, but for the times
 * they carry, and for requests for older links, which need an answer that was long enough: so a
 * thread that draws has to say what was answered before the next is drawn.
 *
 * <p>Threads: one.
 */
public final class RequestStream {
  /** The most links of a list, by default. */
  public static final int RANGE_LIMIT = 10_000;

  private static final double NANOS = 1e9;

  private final Random random;
  private final LongSupplier clock;
  private final OperationMix mix;
  private final int types;
  private final LinkTargetChooser ends;
  private final Distribution multiget;
  private final double historyShare;
  private final double rate;
  private final AccessPattern reads;
  private final AccessPattern readsUnlike;
  private final double unlikeShare;
  private final AccessPattern writes;
  private final AccessPattern writesUnlike;
  private final Payload addedLinks;
  private final Payload updatedLinks;
  private final NodeRequests nodes;
  private final ListHistory history = new ListHistory();

  /** The parts for requests on nodes; absent where there are none. */
  private record NodeRequests(
      AccessPattern reads,
      AccessPattern updates,
      AccessPattern deletes,
      Payload added,
      Payload updated) {
    static NodeRequests of(Config config) {
      return new NodeRequests(
          new AccessPattern(config, AccessPattern.Kind.NODE_READ),
          new AccessPattern(config, AccessPattern.Kind.NODE_UPDATE),
          new AccessPattern(config, AccessPattern.Kind.NODE_DELETE),
          Payload.ofNodes(config, "node_add_datagen"),
          Payload.ofNodes(config, "node_up_datagen"));
    }
  }

  /**
   * The requests of one of several requesters.
   *
   * @param random not used by anybody else
   * @param clock milliseconds since 1970
   * @throws ConfigException if the configuration describes no workload
   */
  public RequestStream(
      Config config,
      NodeDegrees degrees,
      Random random,
      LongSupplier clock,
      int requester,
      int requesters) {
    this.random = random;
    this.clock = clock;
    this.mix = new OperationMix(config);
    this.types = degrees.types();
    this.ends = new LinkTargetChooser(config, degrees, requester, requesters);
    this.multiget =
        config.has("link_multiget_dist")
            ? Distributions.named(
                config,
                "link_multiget_dist",
                "link_multiget_dist_",
                config.count("link_multiget_dist_min", 1, Integer.MAX_VALUE),
                config.count("link_multiget_dist_max", 1, Integer.MAX_VALUE))
            : null;
    this.historyShare = config.real("getlinklist_history", 0) / 100;
    this.rate = config.number("requestrate", 0) / NANOS;
    this.reads = new AccessPattern(config, AccessPattern.Kind.LINK_READ);
    this.unlikeShare = config.real("read_uncorr_blend", 0) / 100;
    this.readsUnlike =
        unlikeShare > 0 ? new AccessPattern(config, AccessPattern.Kind.LINK_READ_UNLIKE) : null;
    this.writes = new AccessPattern(config, AccessPattern.Kind.LINK_WRITE);
    // LinkBench reads the keys of reads for writes too
    this.writesUnlike =
        unlikeShare > 0 ? new AccessPattern(config, AccessPattern.Kind.LINK_WRITE_UNLIKE) : null;
    this.addedLinks = Payload.ofLinks(config, "link_add_datagen");
    this.updatedLinks = Payload.ofLinks(config, "link_up_datagen");
    this.nodes = mix.hasNodes() ? NodeRequests.of(config) : null;
    random.nextLong(); // LinkBench logs the first
  }

  /**
   * Nanoseconds between the last request and the next one, by which requests come at the configured
   * rate: 0 where there is none. To be asked before each request, because it draws.
   */
  public long gap() {
    return rate <= 0 ? 0 : Math.round(-Math.log(random.nextDouble()) / rate);
  }

  /** Draws the next request. */
  public Request next() {
    Operation operation = mix.at(random.nextDouble() * 100);
    return switch (operation) {
      case ADD_LINK -> added(operation, LinkTargetChooser.ADD, addedLinks);
      case UPDATE_LINK -> added(operation, LinkTargetChooser.UPDATE, updatedLinks);
      case DELETE_LINK -> {
        long id1 = writtenId();
        long type = type();
        yield new Request.DeleteLink(
            id1, type, ends.one(random, id1, type, LinkTargetChooser.DELETE));
      }
      case COUNT_LINK -> new Request.CountLinks(readId(), type());
      case MULTIGET_LINK -> {
        long id1 = readId();
        long type = type();
        int count = multiget == null ? 1 : (int) multiget.choose(random);
        long[] id2s = ends.several(random, id1, type, count, LinkTargetChooser.GET);
        yield new Request.GetLinks(id1, type, Arrays.stream(id2s).boxed().toList());
      }
      case GET_LINKS_LIST -> list();
      case ADD_NODE -> new Request.AddNode(node(-1, 1, nodes.added));
      case UPDATE_NODE -> {
        long id = nodes.updates.next(random);
        yield new Request.UpdateNode(node(id, 2, nodes.updated));
      }
      case DELETE_NODE -> new Request.DeleteNode(nodes.deletes.next(random));
      case GET_NODE -> new Request.GetNode(nodes.reads.next(random));
      default -> throw new AssertionError(operation);
    };
  }

  /** Takes note of the answer to the last request. */
  public void answered(Request request, Object answer) {
    if (!(request instanceof Request.ListLinks list)) {
      return;
    }
    LinkRow[] links = (LinkRow[]) answer;
    LinkRow oldest = links.length < list.limit() ? null : links[links.length - 1];
    if (list.offset() > 0) {
      history.advance(list.id1(), list.type(), oldest);
    } else if (oldest != null) {
      history.add(oldest, random);
    }
  }

  private Request added(Operation operation, double existing, Payload payload) {
    long id1 = writtenId();
    long type = type();
    long id2 = ends.one(random, id1, type, existing);
    byte[] data = payload.next(random);
    return new Request.AddLink(
        operation, new LinkRow(id1, type, id2, LinkRow.VISIBLE, 0, clock.getAsLong(), data));
  }

  private Request list() {
    if (random.nextDouble() < historyShare && !history.isEmpty()) {
      LinkRow oldest = history.draw(random);
      return new Request.ListLinks(oldest.id1(), oldest.type(), oldest.time(), 1, RANGE_LIMIT);
    }
    return new Request.ListLinks(readId(), type(), Long.MAX_VALUE, 0, RANGE_LIMIT);
  }

  private NodeRow node(long id, long version, Payload payload) {
    byte[] data = payload.next(random);
    return new NodeRow(id, Config.NODE_TYPE, version, (int) (clock.getAsLong() / 1_000), data);
  }

  private long readId() {
    boolean unlike = readsUnlike != null && random.nextDouble() < unlikeShare;
    return (unlike ? readsUnlike : reads).next(random);
  }

  private long writtenId() {
    boolean unlike = writesUnlike != null && random.nextDouble() < unlikeShare;
    return (unlike ? writesUnlike : writes).next(random);
  }

  private long type() {
    return Config.FIRST_LINK_TYPE + random.nextInt(types);
  }
}
