package io.bg3.bench.paper;

/** How the writes of an experiment are spread over the lists. */
public enum WritePattern {
  /** A list is written by a power law of its rank, exponent 1.1. */
  POWER_LAW("exponent 1.1", 1.1, false),

  /** A list is written by a power law of its rank, exponent 1.5. */
  STEEP("exponent 1.5", 1.5, false),

  /** A list is written the less the longer ago it was the newest, by a power law of its age. */
  COOLING("cooling, 1.1", 1.1, true);

  private final String title;
  private final double exponent;
  private final boolean cools;

  WritePattern(String title, double exponent, boolean cools) {
    this.title = title;
    this.exponent = exponent;
    this.cools = cools;
  }

  /** Its name in tables. */
  public String title() {
    return title;
  }

  Popularity popularity(int lists, long seed) {
    return new Popularity(lists, exponent, cools, seed);
  }
}
