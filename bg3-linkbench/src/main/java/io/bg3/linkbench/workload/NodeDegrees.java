package io.bg3.linkbench.workload;

import java.util.Locale;

/**
 * The number and the types of the links that each node is loaded with. Known without looking,
 * because requests choose ends that are there with a certain probability.
 *
 * <p>Threads: any.
 */
public final class NodeDegrees {
  private static final long SEED = 20_343_988_438_726_021L;

  private final long first;
  private final long end;
  private final int types;
  private final ByRank degrees;
  private final RankPermutation rotation;
  private final String source;

  private interface ByRank {
    long of(long rank);
  }

  /**
   * The degrees that the keys {@code nlinks_...} describe.
   *
   * @throws ConfigException if they do not
   */
  public NodeDegrees(Config config) {
    this.first = config.startId();
    this.end = config.endId();
    this.types = config.linkTypes();
    String function = config.text("nlinks_func").toUpperCase(Locale.ROOT);
    if (function.equals("REAL")) {
      DataFile file = DataFile.of(config);
      Empirical empirical = new Empirical(file.section(DataFile.DEGREES), first, end - first);
      this.source = file.source();
      this.degrees = rank -> Math.round(empirical.expected(rank));
      this.rotation = new RankPermutation(SEED, end - first);
    } else if (isArithmetic(function)) {
      this.source = function;
      this.degrees = arithmetic(function, config);
      this.rotation = null;
    } else {
      Distribution named = Distributions.named(config, "nlinks_func", "nlinks_", first, end);
      this.source = config.text("nlinks_func");
      this.degrees = rank -> Math.round(named.expected(rank));
      this.rotation = new RankPermutation(SEED, end - first);
    }
  }

  /** The source of the degrees, for a report. */
  public String source() {
    return source;
  }

  /** The number of links that a node is loaded with, before they are divided among the types. */
  public long total(long id1) {
    return degrees.of(rotation == null ? id1 : first + rotation.invert(id1 - first));
  }

  /**
   * The number of links of a type that a node is loaded with. As in LinkBench, what a division
   * among the types leaves over is reckoned too large, so that the types add up to a little more
   * than the total.
   */
  public long count(long id1, long type) {
    long total = total(id1);
    long each = total / types;
    return type - Config.FIRST_LINK_TYPE < total - each ? each + 1 : each;
  }

  /** The number of types; they are consecutive from {@link Config#FIRST_LINK_TYPE}. */
  public int types() {
    return types;
  }

  private static boolean isArithmetic(String function) {
    return switch (function) {
      case "CONST", "RECIPROCAL", "MULTIPLES", "EXPONENTIAL", "PERFECT_SQUARES" -> true;
      default -> false;
    };
  }

  private ByRank arithmetic(String function, Config config) {
    long base = config.number("nlinks_default");
    long parameter = config.number("nlinks_config");
    if (base < 0 || (parameter < 2 && !function.matches("CONST|RECIPROCAL"))) {
      throw new ConfigException(
          "out of range: nlinks_default=" + base + ", nlinks_config=" + parameter);
    }
    double count = end - first;
    return switch (function) {
      case "CONST" -> id -> base;
      case "RECIPROCAL" -> id -> base + (long) Math.ceil(count / Math.max(1, id - first));
      case "MULTIPLES" -> id -> base + (id % parameter == 0 ? parameter : 0);
      case "EXPONENTIAL" -> id -> base + atPower(id, parameter);
      default -> id -> base + atPerfectPower(id, parameter);
    };
  }

  /** For an id that is a power of the base: its distance from the power before. */
  private static long atPower(long id, long base) {
    double exponent = Math.ceil(Math.log((double) id) / Math.log((double) base));
    return (long) Math.pow((double) base, exponent) == id
        ? id - (long) Math.pow((double) base, exponent - 1)
        : 0;
  }

  /** For an id that is the power of a whole number: its distance from the power before. */
  private static long atPerfectPower(long id, long exponent) {
    double root = Math.ceil(Math.pow((double) id, 1.0 / exponent));
    return (long) Math.pow(root, (double) exponent) == id
        ? id - (long) Math.pow(root - 1, (double) exponent)
        : 0;
  }
}
