package io.bg3.linkbench.workload;

import java.util.Locale;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * The choice of nodes for one kind of request: a distribution over ranks of popularity and the
 * permutation that makes ids of ranks, or simple arithmetic on ids.
 *
 * <p>Threads: one.
 */
final class AccessPattern {
  /** The permutation of the degrees: the most popular nodes are those with most links. */
  private static final long LIKE_DEGREES = 20_343_988_438_726_021L;

  private static final long UNLIKE_DEGREES = 53_238_253_823_453L;
  private static final long NODES = 4_766_565_305_853_767_165L;

  /** The kinds of requests, with the prefix of their keys. */
  enum Kind {
    LINK_READ("read_", LIKE_DEGREES, "link_nreads"),
    LINK_READ_UNLIKE("read_uncorr_", UNLIKE_DEGREES, null),
    LINK_WRITE("write_", LIKE_DEGREES, "link_nwrites"),

    /**
     * LinkBench reads the keys of reads here. So do we: what {@code write_uncorr_} says would
     * change the requests of the stock configuration.
     */
    LINK_WRITE_UNLIKE("read_uncorr_", UNLIKE_DEGREES, null),
    NODE_READ("node_read_", NODES, "node_nreads"),
    /** LinkBench draws the real node updates from the distribution of link writes. */
    NODE_UPDATE("node_update_", NODES, "link_nwrites"),
    NODE_DELETE("node_delete_", NODES, null);

    private final String prefix;
    private final long seed;
    private final String section;

    Kind(String prefix, long seed, String section) {
      this.prefix = prefix;
      this.seed = seed;
      this.section = section;
    }
  }

  private final long first;
  private final long count;
  private final Distribution ranks;
  private final RankPermutation rotation;
  private final ToLongFunction<Random> arithmetic;

  /** The configuration of a kind of request. */
  AccessPattern(Config config, Kind kind) {
    this.first = config.startId();
    this.count = config.endId() - first;
    String key = kind.prefix + "function";
    String function = config.text(key).toUpperCase(Locale.ROOT);
    switch (function) {
      case "ROUND_ROBIN", "RECIPROCAL", "MULTIPLE", "POWER", "PERFECT_POWER" -> {
        this.ranks = null;
        this.rotation = null;
        this.arithmetic = arithmetic(function, config, kind.prefix + "config");
      }
      case "REAL" -> {
        if (kind.section == null) {
          throw new ConfigException(
              "REAL is measured for other requests only: key=" + key + ", value=" + function);
        }
        this.ranks = new Empirical(DataFile.of(config).section(kind.section), first, count);
        this.rotation = new RankPermutation(kind.seed, count);
        this.arithmetic = null;
      }
      default -> {
        this.ranks = Distributions.named(config, key, kind.prefix, first, first + count);
        this.rotation = new RankPermutation(kind.seed, count);
        this.arithmetic = null;
      }
    }
  }

  /** Draws an id. */
  long next(Random random) {
    if (arithmetic != null) {
      return Math.max(first, Math.min(arithmetic.applyAsLong(random), first + count - 1));
    }
    return first + rotation.apply(ranks.choose(random) - first);
  }

  private ToLongFunction<Random> arithmetic(String function, Config config, String key) {
    Uniform any = new Uniform(first, (int) count, 1);
    if (function.equals("RECIPROCAL")) {
      return random -> (long) Math.ceil(count / (double) any.choose(random));
    }
    if (function.equals("ROUND_ROBIN")) {
      long[] last = {first - 1};
      return random -> last[0] = last[0] + 1 < first + count ? last[0] + 1 : first;
    }
    long parameter = config.number(key);
    if (parameter < 2) {
      throw new ConfigException("must be at least 2: key=" + key + ", value=" + parameter);
    }
    double base = parameter;
    return switch (function) {
      case "MULTIPLE" -> random -> parameter * (long) Math.ceil(any.choose(random) / base);
      case "POWER" ->
          random ->
              (long)
                  Math.pow(base, Math.ceil(Math.log((double) any.choose(random)) / Math.log(base)));
      default ->
          random ->
              (long) Math.pow(Math.ceil(Math.pow((double) any.choose(random), 1 / base)), base);
    };
  }
}
