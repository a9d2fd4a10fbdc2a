package io.bg3.bench.parts;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.SeededHash;
import io.bg3.core.block.PageFrame;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.PageRead;
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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One edge leaf of {@value #OWNERS} owners with {@value #DEGREE} edges each, in the processor's
 * cache: a search for one edge, a scan of one owner, and the replacement of the delta by one with
 * another entry.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PageBenchmark {
  private static final int OWNERS = 16;
  private static final int DEGREE = 64;
  private static final long STEP = 10;
  private static final int LABEL = 1;
  private static final int QUESTIONS = 1_024;

  private final BlockMemory memory = new BlockMemory(new MemoryBudget(64 << 20, "budget"));
  private final LeafFormat format = LeafFormat.edges(memory);
  private final Entries scanned = format.newEntries();
  private final EdgeEntries added = (EdgeEntries) format.newEntries();
  private final PageRead read = new PageRead();
  private final byte[][] keys = new byte[QUESTIONS][];
  private final byte[][] lows = new byte[QUESTIONS][];
  private final byte[][] highs = new byte[QUESTIONS][];
  private long block;
  private int question;

  /** Entries in the delta before; 0 for none. */
  @Param({"0", "8"})
  private int deltaEntries;

  @Setup
  public void build() {
    byte[] value = new byte[EdgeValue.SHORTEST];
    EdgeEntries entries = edges(value);
    block = format.writeBase(new PageFrame(1, 1, null, null, 0), entries, 0, entries.count(), 0);
    if (deltaEntries > 0) {
      EdgeEntries delta = (EdgeEntries) format.newEntries();
      for (int i = 0; i < deltaEntries; i++) {
        delta.append(i, LABEL, STEP * i + 1, 0, Op.PUT, 1 + i, value);
      }
      block = format.writeDelta(block, delta, 0, deltaEntries);
    }
    added.append(OWNERS / 2, LABEL, STEP + 2, 0, Op.PUT, 1_000, value);
    draw();
  }

  private EdgeEntries edges(byte[] value) {
    EdgeEntries entries = (EdgeEntries) format.newEntries();
    for (int owner = 0; owner < OWNERS; owner++) {
      for (int i = 0; i < DEGREE; i++) {
        entries.append(owner, LABEL, STEP * i, 0, Op.PUT, 0, value);
      }
    }
    return entries;
  }

  /** Draws the keys and the ranges that the benchmarks ask for. */
  private void draw() {
    for (int i = 0; i < QUESTIONS; i++) {
      long owner = SeededHash.below(SeededHash.of(1, i), OWNERS);
      keys[i] =
          EdgeKey.encode(owner, LABEL, STEP * SeededHash.below(SeededHash.of(2, i), DEGREE), 0);
      lows[i] = EdgeKey.prefix(owner, LABEL);
      highs[i] = EdgeKey.after(lows[i]);
    }
  }

  private int next() {
    question = (question + 1) % QUESTIONS;
    return question;
  }

  @Benchmark
  public boolean search() {
    return format.get(block, keys[next()], Long.MAX_VALUE, read);
  }

  @Benchmark
  public int scan() {
    int i = next();
    scanned.clear();
    format.copy(block, lows[i], highs[i], Long.MAX_VALUE, false, scanned);
    return scanned.count();
  }

  @Benchmark
  public void replaceDelta() {
    format.free(format.writeDelta(block, added, 0, 1));
  }

  @TearDown
  public void close() {
    memory.close();
  }
}
