package io.bg3.bench;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the length of a measurement. */
final class RoundOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Measured rounds of each work; the median is reported (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Shortest length of a round (default: ${DEFAULT-VALUE}).")
  private double seconds;

  /** Options with the number of rounds that a command has by default, each of a second. */
  RoundOptions(int rounds) {
    this(rounds, 1);
  }

  /** Options with the rounds that a command has by default. */
  RoundOptions(int rounds, double seconds) {
    this.rounds = rounds;
    this.seconds = seconds;
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
  void check() {
    if (rounds < 1 || !(seconds > 0)) {
      throw new ParameterException(spec.commandLine(), "--rounds and --seconds must be positive");
    }
  }
}
