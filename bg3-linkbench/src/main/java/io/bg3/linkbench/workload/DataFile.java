package io.bg3.linkbench.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StreamTokenizer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Measured distributions by name: those of a file in the format of LinkBench's {@code
 * Distribution.dat} (a name, then pairs of a value and the percentage that has at most it), or the
 * built-in one.
 *
 * <p>The built-in one has {@code nlinks} alone: a few percentiles of out-degrees in Facebook's
 * graph, and between them a straight line on logarithmic paper, so that mean, tail and the share of
 * nodes without links come out about the same.
 *
 * <p>Immutable.
 */
final class DataFile {
  /** The name of the distribution of out-degrees. */
  static final String DEGREES = "nlinks";

  private static final String BUILT_IN = "built-in synthetic distribution";

  /** The degrees at which the built-in distribution has a percentile. */
  private static final int[] DEGREE = {1, 2, 3, 5, 10, 20, 50, 200, 1_000, 6_000, 30_000, 960_000};

  /** The share of nodes with more than these degrees, and before them with more than none. */
  private static final double[] ABOVE = {
    0.225, 0.13, 0.08, 0.042, 0.0167, 0.0067, 0.0028, 0.00115, 0.00049, 0.0001, 0.000006, 0
  };

  private static final double WITHOUT_LINKS = 0.453;
  private static final double SMALLEST_SHARE = 2e-9;
  private static final double STEP = 1.05;

  private final String source;
  private final Map<String, Cdf> sections;

  private DataFile(String source, Map<String, Cdf> sections) {
    this.source = source;
    this.sections = sections;
  }

  /** The file that the configuration names under {@code data_file}, else the built-in one. */
  static DataFile of(Config config) {
    return config.has("data_file") ? read(Path.of(config.text("data_file"))) : builtIn();
  }

  /** The source of the distributions, for a report. */
  String source() {
    return source;
  }

  Cdf section(String name) {
    Cdf cdf = sections.get(name);
    if (cdf == null) {
      throw new ConfigException(
          "no such distribution: name="
              + name
              + ", source="
              + source
              + ", there="
              + sections.keySet().stream().sorted().toList()
              + "\nName LinkBench's Distribution.dat with -D data_file=PATH.");
    }
    return cdf;
  }

  static DataFile read(Path file) {
    Map<String, Cdf> sections = new HashMap<>();
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      StreamTokenizer tokens = new StreamTokenizer(reader);
      tokens.wordChars('_', '_');
      int token = tokens.nextToken();
      while (token == StreamTokenizer.TT_WORD) {
        String name = tokens.sval;
        sections.put(name, points(tokens, name, file));
        token = tokens.ttype;
      }
      if (token != StreamTokenizer.TT_EOF) {
        throw new ConfigException(
            "a name was expected: file=" + file + ", line=" + tokens.lineno());
      }
    } catch (IOException e) {
      throw new ConfigException("cannot read the distributions: file=" + file, e);
    }
    return new DataFile(file.toString(), sections);
  }

  /** Reads pairs up to the next name or the end, at which the tokens stand then. */
  private static Cdf points(StreamTokenizer tokens, String name, Path file) throws IOException {
    int[] values = new int[1_024];
    double[] probabilities = new double[values.length];
    int count = 0;
    while (tokens.nextToken() == StreamTokenizer.TT_NUMBER) {
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
        probabilities = Arrays.copyOf(probabilities, 2 * count);
      }
      values[count] = (int) tokens.nval;
      boolean pair = tokens.nextToken() == StreamTokenizer.TT_NUMBER;
      probabilities[count] = tokens.nval / 100;
      if (!pair
          || values[count] < 0
          || !(probabilities[count] >= 0 && probabilities[count] <= 1)
          || (count > 0
              && (values[count] <= values[count - 1]
                  || probabilities[count] < probabilities[count - 1]))) {
        throw new ConfigException(
            "not a value and a percentage that are above the ones before: file="
                + file
                + ", name="
                + name
                + ", line="
                + tokens.lineno());
      }
      count++;
    }
    if (count == 0) {
      throw new ConfigException("a name without values: file=" + file + ", name=" + name);
    }
    return new Cdf(Arrays.copyOf(values, count), Arrays.copyOf(probabilities, count));
  }

  private static DataFile builtIn() {
    int[] values = new int[1_024];
    double[] probabilities = new double[values.length];
    probabilities[0] = WITHOUT_LINKS;
    int count = 1;
    for (int i = 0; i < DEGREE.length; i++) {
      double from = i == 0 ? 1 : DEGREE[i - 1];
      double above = i == 0 ? 1 - WITHOUT_LINKS : ABOVE[i - 1];
      double slope =
          Math.log(Math.max(ABOVE[i], SMALLEST_SHARE) / above) / Math.log(DEGREE[i] / from + 1e-12);
      for (int degree = values[count - 1] + 1;
          degree < DEGREE[i];
          degree = Math.max(degree + 1, (int) (degree * STEP))) {
        values[count] = degree;
        probabilities[count++] = 1 - above * Math.pow(degree / from, slope);
      }
      values[count] = DEGREE[i];
      probabilities[count++] = 1 - ABOVE[i];
    }
    Cdf degrees = new Cdf(Arrays.copyOf(values, count), Arrays.copyOf(probabilities, count));
    return new DataFile(BUILT_IN, Map.of(DEGREES, degrees));
  }
}
