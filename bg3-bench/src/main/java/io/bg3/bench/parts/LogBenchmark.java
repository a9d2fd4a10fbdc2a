package io.bg3.bench.parts;

import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Records of {@value #BYTES} bytes through the log on one thread, {@value #GATHERED} of them
 * written at once, to a disk in memory: what the log costs without the disk.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LogBenchmark {
  private static final int BYTES = 64;
  private static final int GATHERED = 256;

  private final ByteBuffer record = ByteBuffer.allocate(BYTES);
  private WriteAheadLog log;

  /** A new one each time, because what is written stays in memory. */
  @Setup(Level.Iteration)
  public void open() throws IOException {
    log = WriteAheadLog.create(new MemoryDisk(), LogSettings.of(1), 0);
  }

  @Benchmark
  @OperationsPerInvocation(GATHERED)
  public long append() throws IOException {
    for (int i = 0; i < GATHERED; i++) {
      log.reserve(BYTES);
      log.append(record.duplicate());
    }
    long end = log.write(true);
    log.truncateBefore(end);
    return end;
  }

  @TearDown(Level.Iteration)
  public void close() throws IOException {
    log.close();
  }
}
