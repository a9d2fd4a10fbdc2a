package io.bg3.bench.parts;

import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryBudget;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Taking a block from the slabs and giving it back, on one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SlabBenchmark {
  private final BlockMemory memory = new BlockMemory(new MemoryBudget(64 << 20, "budget"));

  /** Bytes of the block: a delta, a small page, a full page. */
  @Param({"256", "4096", "16384"})
  private int bytes;

  @Benchmark
  public void allocateAndFree() {
    memory.free(memory.allocate(bytes));
  }

  @TearDown
  public void close() {
    memory.close();
  }
}
