package io.bg3.linkbench.workload;

import java.util.Random;

/** Each number as likely as any other. */
record Uniform(long first, int count, double scale) implements Distribution {
  @Override
  public long choose(Random random) {
    return first + random.nextInt(count);
  }

  @Override
  public double expected(long number) {
    return scale / count;
  }
}
