package io.bg3.bench;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say how long a command measures. */
final class RoundOptions {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Measured rounds of each work; the median is reported (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Length of a round at least (default: ${DEFAULT-VALUE}).")
  private double seconds = 1;

  /** Options with the number of rounds that a command has by default. */
  RoundOptions(int rounds) {
    this.rounds = rounds;
  }

  int rounds() {
    return rounds;
  }

  double seconds() {
    return seconds;
  }

  /**
   * Checks both.
   *
   * @throws ParameterException if one is not positive
   */
  void check(CommandLine command) {
    if (rounds < 1 || !(seconds > 0)) {
      throw new ParameterException(command, "--rounds and --seconds must be positive");
    }
  }
}
