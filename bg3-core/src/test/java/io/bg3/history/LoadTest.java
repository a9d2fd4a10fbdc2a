package io.bg3.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.history.Anomaly.Kind;
import io.bg3.testing.Seeds;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the load on a model of a store that is right or broken in one way, and expects the checker
 * to tell them apart. Repeat a failure with {@code -Dbg3.seed=N}.
 */
class LoadTest {
  private static final long SEED = Seeds.one();

  private static Report run(ModelStore.Fault fault, Mix mix, int transactions, long seed) {
    AtomicLong time = new AtomicLong();
    History history = new History(time::incrementAndGet);
    Load load = new Load(history, new ModelStore(fault, seed), mix, transactions, seed);
    load.runInterleaved(8);
    load.finalRead();
    return Checker.check(history);
  }

  @Test
  void aStoreThatIsRightIsClean() {
    for (Mix mix : new Mix[] {Mix.lists(), Mix.everything(), Mix.phantoms(), Mix.totals()}) {
      Report report = run(ModelStore.Fault.NONE, mix, 10_000, SEED);
      assertTrue(report.isClean(), () -> "-Dbg3.seed=" + SEED + " " + mix + "\n" + report);
    }
  }

  private static Set<Kind> proofs(ModelStore.Fault fault) {
    return switch (fault) {
      case NONE -> EnumSet.noneOf(Kind.class);
      case READS_NOT_VALIDATED -> EnumSet.of(Kind.G2_ITEM, Kind.G_SINGLE);
      case RANGES_BY_KEY -> EnumSet.of(Kind.G2);
      case WRITES_NOT_VALIDATED -> EnumSet.of(Kind.LOST_UPDATE, Kind.G_SINGLE);
      case STALE_SNAPSHOTS -> EnumSet.of(Kind.G_SINGLE_REALTIME);
      case TORN_COMMITS -> EnumSet.of(Kind.G_SINGLE);
      case ROLLBACK_LEAVES -> EnumSet.of(Kind.G1A);
      case FORGETS -> EnumSet.of(Kind.LOST_ACKNOWLEDGEMENT);
      case COUNTS_NOT_VALIDATED -> EnumSet.of(Kind.LOST_UPDATE);
    };
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void aStoreThatIsBrokenIsFound(ModelStore.Fault fault) {
    Mix mix =
        switch (fault) {
          case RANGES_BY_KEY -> Mix.phantoms();
          case COUNTS_NOT_VALIDATED -> Mix.totals();
          case READS_NOT_VALIDATED, TORN_COMMITS, STALE_SNAPSHOTS -> Mix.lists();
          default -> Mix.everything();
        };
    Report report;
    try {
      report = run(fault, mix, 5_000, SEED);
    } catch (AssertionError bound) {
      assertTrue(bound.getMessage().startsWith("more than the bound"), bound.getMessage());
      return;
    }
    for (Kind kind : proofs(fault)) {
      assertTrue(report.has(kind), () -> "-Dbg3.seed=" + SEED + ": no " + kind + " in " + report);
    }
  }

  @Test
  void threeHundredThousandTransactionsTakeAFewSeconds() {
    long begin = System.nanoTime();
    Report report = run(ModelStore.Fault.NONE, Mix.lists(), 300_000, SEED);
    long millis = (System.nanoTime() - begin) / 1_000_000;
    System.out.println("history: " + report.summary() + ", with load ms=" + millis);
    assertTrue(report.isClean(), () -> "-Dbg3.seed=" + SEED + "\n" + report);
  }

  @Test
  void theSameSeedGivesTheSameHistory() {
    String first = run(ModelStore.Fault.READS_NOT_VALIDATED, Mix.lists(), 2_000, 7).toString();
    String second = run(ModelStore.Fault.READS_NOT_VALIDATED, Mix.lists(), 2_000, 7).toString();
    assertEquals(first.replaceAll("ms=\\d+", ""), second.replaceAll("ms=\\d+", ""));
  }
}
