package io.bg3.bench.parts;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.SeededHash;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The commit pipeline without a disk: commits of one new edge to a store in memory, not synced, and
 * beginning and ending a transaction that only reads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class CommitBenchmark {
  private static final int OWNERS = 10_000;
  private static final int TAG_LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 1);

  private final AtomicLong counter = new AtomicLong();
  private final byte[] value = new byte[EdgeValue.SHORTEST];
  private Bg3 store;

  /** A new store each time, because it grows. */
  @Setup(Level.Iteration)
  public void open() throws IOException {
    store =
        Bg3.open(
            Settings.defaults()
                .with(Setting.DURABILITY, "none")
                .with(Setting.MEMORY_BUDGET, "512m")
                .with(Setting.LOG_LIMIT, "64m"));
  }

  private void commitOne() {
    long number = counter.getAndIncrement();
    Transaction transaction = store.transactions().begin(Isolation.STRICT, false);
    transaction.putEdge(
        SeededHash.below(SeededHash.of(number), OWNERS), TAG_LABEL, number, 0, value);
    transaction.commit();
  }

  @Benchmark
  public void commit() {
    commitOne();
  }

  @Benchmark
  @Threads(2)
  public void commitOnTwoThreads() {
    commitOne();
  }

  @Benchmark
  public long beginAndEndReading() {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      return transaction.snapshot();
    }
  }

  @TearDown(Level.Iteration)
  public void close() throws IOException {
    store.close();
  }
}
