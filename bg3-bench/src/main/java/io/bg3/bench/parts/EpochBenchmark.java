package io.bg3.bench.parts;

import io.bg3.storage.memory.Epochs;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Entering and leaving an epoch, which every read does once a page. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EpochBenchmark {
  private final Epochs epochs = new Epochs();

  @Benchmark
  public void enterAndExit() {
    epochs.exit(epochs.enter());
  }

  /** One inside another: no fence is needed. */
  @Benchmark
  public void enterAndExitNested() {
    int outer = epochs.enter();
    epochs.exit(epochs.enter());
    epochs.exit(outer);
  }
}
