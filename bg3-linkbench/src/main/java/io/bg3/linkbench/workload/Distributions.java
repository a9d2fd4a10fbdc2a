package io.bg3.linkbench.workload;

/**
 * The distributions that a configuration names by LinkBench's class names, with or without their
 * package.
 */
final class Distributions {
  private static final String PACKAGE = "com.facebook.LinkBench.distributions.";

  private Distributions() {}

  /**
   * The distribution that a key names.
   *
   * @param key whose value is the name
   * @param prefix of the keys of its parameters
   * @param first the first number
   * @param end one more than the last number
   */
  static Distribution named(Config config, String key, String prefix, long first, long end) {
    long count = end - first;
    if (count < 1) {
      throw new ConfigException("an empty range: key=" + key + ", first=" + first + ", end=" + end);
    }
    String name = config.text(key);
    double scale = config.has(prefix + "mean") ? count * config.real(prefix + "mean") : 1;
    return switch (name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : name) {
      case "ZipfDistribution" -> new Zipf(first, count, positive(config, prefix + "shape"), scale);
      case "UniformDistribution" -> new Uniform(first, Math.toIntExact(count), scale);
      case "GeometricDistribution" ->
          new Geometric(first, count, share(config, prefix + "prob"), scale);
      default ->
          throw new ConfigException(
              "not a distribution: key="
                  + key
                  + ", value="
                  + name
                  + ", allowed=ZipfDistribution, UniformDistribution, GeometricDistribution");
    };
  }

  private static double positive(Config config, String key) {
    double value = config.real(key);
    if (value <= 0 || value == 1) {
      throw new ConfigException("must be above 0 and not 1: key=" + key + ", value=" + value);
    }
    return value;
  }

  private static double share(Config config, String key) {
    double value = config.real(key);
    if (value <= 0 || value >= 1) {
      throw new ConfigException("must lie between 0 and 1: key=" + key + ", value=" + value);
    }
    return value;
  }
}
