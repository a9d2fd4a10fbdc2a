package io.bg3.linkbench.workload;

import java.util.Random;

/**
 * A distribution over the whole numbers from a first one (the likeliest) up to an end.
 *
 * <p>Threads: one, unless it says otherwise.
 */
interface Distribution {
  /** Draws a number. */
  long choose(Random random);

  /**
   * The expected count of a number among as many draws as the distribution is scaled to; for
   * degrees, the degree of the node of that rank.
   *
   * @throws ConfigException if this distribution cannot tell
   */
  double expected(long number);
}
