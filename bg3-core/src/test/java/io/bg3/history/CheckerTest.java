package io.bg3.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.history.Anomaly.Kind;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Gives the checker small histories made by hand, one for each anomaly and its innocent neighbour.
 * Time is a counter: a transaction that begins before another ends overlaps it.
 */
class CheckerTest {
  private static final long X = 1;
  private static final long Y = 2;

  private final AtomicLong time = new AtomicLong();
  private History history;

  @BeforeEach
  void begin() {
    history = new History(time::incrementAndGet);
  }

  private Attempt attempt() {
    return history.client().begin();
  }

  private Report clean() {
    Report report = Checker.check(history);
    report.assertClean();
    return report;
  }

  private String finds(Kind kind) {
    Report report = Checker.check(history);
    assertTrue(report.has(kind), () -> "missing " + kind + " in " + report);
    return report.anomalies().stream().filter(a -> a.kind() == kind).findFirst().get().text();
  }

  private static void mentions(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "missing '" + part + "' in " + text);
    }
  }

  @Test
  void anEmptyHistoryIsClean() {
    clean();
  }

  @Test
  void transactionsOneAfterAnotherAreClean() {
    attempt().read(X).append(X, 1).committed();
    attempt().read(X, 1).append(X, 2).append(Y, 3).committed();
    attempt().append(Y, 4).read(Y, 3, 4).append(X, 5).committed();
    attempt().read(X, 1, 2, 5).read(Y, 3, 4).committed();
    clean();
  }

  @Test
  void overlappingTransactionsMayComeInAnyOrder() {
    Attempt first = attempt();
    Attempt second = attempt();
    second.read(X).append(X, 1).committed();
    first.read(X, 1).append(X, 2).committed();
    Attempt late = attempt();
    attempt().read(X, 1, 2).append(X, 3).committed();
    late.read(X, 1, 2).committed();
    attempt().read(X, 1, 2, 3).committed();
    clean();
  }

  @Test
  void writesThatCrossEachOtherAreG0() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.append(X, 1).append(Y, 2).committed();
    b.append(X, 3).append(Y, 4).committed();
    attempt().read(X, 1, 3).read(Y, 4, 2).committed();
    mentions(finds(Kind.G0), "ww, key 1", "ww, key 2", "append(1, 1)", "append(2, 4)");
  }

  @Test
  void aWriteBehindALaterTransactionIsG0InRealTime() {
    attempt().append(X, 1).committed();
    attempt().append(X, 2).committed();
    attempt().read(X, 2, 1).committed();
    mentions(finds(Kind.G0_REALTIME), "ww, key 1", "rt: it had ended before the next began");
  }

  @Test
  void anAbortedValueThatIsReadIsG1a() {
    attempt().append(X, 1).aborted();
    attempt().read(X, 1).committed();
    mentions(finds(Kind.G1A), "key 1 holds 1", "ABORTED");
  }

  @Test
  void anIntermediateValueThatIsReadIsG1b() {
    Attempt writer = attempt();
    Attempt reader = attempt();
    writer.append(X, 1).append(X, 2).committed();
    reader.read(X, 1).committed();
    attempt().read(X, 1, 2).committed();
    mentions(finds(Kind.G1B), "key 1 ends with 1");
  }

  @Test
  void transactionsThatReadEachOtherAreG1c() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.append(X, 1).read(Y, 2).committed();
    b.append(Y, 2).read(X, 1).committed();
    attempt().read(X, 1).read(Y, 2).committed();
    mentions(finds(Kind.G1C), "wr, key 1", "wr, key 2");
  }

  @Test
  void aReadFromTheFutureIsG1cInRealTime() {
    attempt().read(X, 1).committed();
    attempt().append(X, 1).committed();
    mentions(finds(Kind.G1C_REALTIME), "wr, key 1", "rt:");
  }

  @Test
  void aSnapshotThatIsTornIsGSingle() {
    Attempt reader = attempt();
    attempt().append(X, 1).append(Y, 2).committed();
    reader.read(X, 1).read(Y).committed();
    attempt().read(X, 1).read(Y, 2).committed();
    mentions(finds(Kind.G_SINGLE), "wr, key 1", "rw, key 2");
  }

  @Test
  void aStaleReadIsGSingleInRealTime() {
    attempt().append(X, 1).committed();
    attempt().read(X).committed();
    attempt().read(X, 1).committed();
    mentions(finds(Kind.G_SINGLE_REALTIME), "rw, key 1", "rt:");
  }

  @Test
  void twoUpdatesOfOneVersionAreALostUpdate() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.read(X).append(X, 1).committed();
    b.read(X).append(X, 2).committed();
    attempt().read(X, 1, 2).committed();
    mentions(finds(Kind.LOST_UPDATE), "both read 0 values of key 1");
    finds(Kind.G_SINGLE);
  }

  @Test
  void anUpdateThatOverwritesAnotherLosesItsAcknowledgement() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.read(X).append(X, 1).committed();
    b.read(X).append(X, 2).committed();
    attempt().read(X, 2).committed();
    finds(Kind.LOST_UPDATE);
    mentions(finds(Kind.LOST_ACKNOWLEDGEMENT), "value 1", "key 1");
  }

  @Test
  void aLostAcknowledgementShowsInTheFinalRead() {
    attempt().append(X, 1).append(Y, 2).committed();
    attempt().append(X, 3).committed();
    attempt().read(X, 1).read(Y, 2).committed();
    mentions(finds(Kind.LOST_ACKNOWLEDGEMENT), "value 3 is not in the longest read of key 1");
  }

  @Test
  void writeSkewIsG2() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.read(X).read(Y).append(X, 1).committed();
    b.read(X).read(Y).append(Y, 2).committed();
    attempt().read(X, 1).read(Y, 2).committed();
    mentions(finds(Kind.G2_ITEM), "rw, key 1", "rw, key 2");
  }

  @Test
  void writeSkewOverRealTimeIsG2InRealTime() {
    Attempt a = attempt();
    attempt().append(X, 1).committed();
    attempt().read(Y).committed();
    a.read(X)
        .append(Y, 2)
        .committed(); // before the first, which was before the second, which is before a
    attempt().read(X, 1).read(Y, 2).committed();
    mentions(finds(Kind.G2_ITEM_REALTIME), "rw, key 1", "rw, key 2", "rt:");
  }

  @Test
  void aKeyMissingInTwoRangesIsAPhantom() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.range(0, 10, new long[0], new int[0][]).append(3, 1).committed();
    b.range(0, 10, new long[0], new int[0][]).append(4, 2).committed();
    attempt().range(0, 10, new long[] {3, 4}, new int[][] {{1}, {2}}).committed();
    mentions(finds(Kind.G2), "its range did not hold what the next wrote");
  }

  @Test
  void rangesThatDoNotTouchTheInsertsAreClean() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.range(0, 4, new long[0], new int[0][]).append(3, 1).committed();
    b.range(4, 10, new long[0], new int[0][]).append(4, 2).committed();
    attempt().range(0, 10, new long[] {3, 4}, new int[][] {{1}, {2}}).committed();
    clean();
  }

  @Test
  void aRangeThatDoesNotHoldItsOwnInsertIsInternal() {
    attempt().append(3, 1).range(0, 10, new long[0], new int[0][]).committed();
    attempt().read(3, 1).committed();
    finds(Kind.INTERNAL);
  }

  @Test
  void aReadThatMissesItsOwnAppendIsInternal() {
    attempt().append(X, 1).read(X).committed();
    attempt().read(X, 1).committed();
    finds(Kind.INTERNAL);
  }

  @Test
  void aValueOfNobodyIsGarbage() {
    attempt().read(X, 7).committed();
    mentions(finds(Kind.GARBAGE), "key 1 holds 7, which nobody wrote");
  }

  @Test
  void aValueTwiceInAListIsADuplicate() {
    attempt().append(X, 1).committed();
    attempt().read(X, 1, 1).committed();
    finds(Kind.DUPLICATE);
  }

  @Test
  void readsThatAreNoPrefixesOfOneOrderAreIncompatible() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.append(X, 1).committed();
    b.append(X, 2).committed();
    Attempt reader = attempt();
    attempt().read(X, 1, 2).committed();
    reader.read(X, 2).committed();
    finds(Kind.INCOMPATIBLE_ORDER);
  }

  @Test
  void anUnknownOutcomeMayBeThereOrNot() {
    attempt().append(X, 1).append(Y, 2).unknown();
    attempt().append(X, 3).append(Y, 4).unknown();
    attempt().read(X, 1).read(Y, 2).committed();
    clean();
  }

  @Test
  void anUnknownOutcomeMayTakeEffectLate() {
    attempt().append(X, 1).unknown();
    attempt().read(X).committed();
    attempt().read(X, 1).committed();
    clean();
  }

  @Test
  void halfOfAnUnknownOutcomeIsALoss() {
    attempt().append(X, 1).append(Y, 2).unknown();
    attempt().read(X, 1).read(Y).committed();
    mentions(finds(Kind.LOST_ACKNOWLEDGEMENT), "value 2", "key 2");
  }

  @Test
  void membersOfASetHaveNoOrderAmongThemselves() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.append(X, 1).append(Y, 2).committed();
    b.append(X, 3).append(Y, 4).committed();
    attempt().readSet(X, 3, 1).readSet(Y, 2, 4).committed();
    clean();
  }

  @Test
  void setsThatDoNotContainEachOtherAreIncompatible() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.append(X, 1).committed();
    b.append(X, 2).committed();
    Attempt r = attempt();
    Attempt s = attempt();
    r.readSet(X, 1).committed();
    s.readSet(X, 2).committed();
    attempt().readSet(X, 1, 2).committed();
    finds(Kind.INCOMPATIBLE_ORDER);
  }

  @Test
  void aStaleSetIsFound() {
    attempt().append(X, 1).committed();
    attempt().append(X, 2).committed();
    attempt().readSet(X, 1).committed();
    attempt().readSet(X, 1, 2).committed();
    mentions(finds(Kind.G_SINGLE_REALTIME), "rw, key 1", "rt:");
  }

  @Test
  void twoSetsSeenInOppositeOrderAreFound() {
    Attempt a = attempt();
    Attempt b = attempt();
    Attempt r = attempt();
    Attempt s = attempt();
    a.append(X, 1).committed();
    b.append(Y, 2).committed();
    r.readSet(X, 1).readSet(Y).committed();
    s.readSet(X).readSet(Y, 2).committed();
    attempt().readSet(X, 1).readSet(Y, 2).committed();
    finds(Kind.G2_ITEM);
  }

  @Test
  void whoAddsToASetItReadIsNoCycleByItself() {
    attempt().readSet(X).append(X, 1).readSet(X, 1).committed();
    attempt().readSet(X, 1).append(X, 2).committed();
    attempt().readSet(X, 2, 1).committed();
    clean();
  }

  @Test
  void writeSkewThroughTheRangeOfASetIsAPhantom() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.setRange(0, 10, new long[0], new int[0][]).append(X, 1).committed();
    b.setRange(0, 10, new long[0], new int[0][]).append(Y, 2).committed();
    attempt().setRange(0, 10, new long[] {X, Y}, new int[][] {{1}, {2}}).committed();
    finds(Kind.G2);
  }

  @Test
  void aBoundedInsertThatReadTheSameTotalTwiceIsALostUpdate() {
    Attempt a = attempt();
    Attempt b = attempt();
    a.readCount(X, 0).append(X, 1).committed();
    b.readCount(X, 0).append(X, 2).committed();
    attempt().readCount(X, 2).committed();
    finds(Kind.LOST_UPDATE);
  }

  @Test
  void boundedInsertsOneAfterAnotherAreClean() {
    attempt().readCount(X, 0).append(X, 1).readCount(X, 1).committed();
    attempt().readCount(X, 1).append(X, 2).append(X, 3).committed();
    attempt().readCount(X, 3).committed();
    clean();
  }

  @Test
  void aTotalThatIsStaleIsFound() {
    attempt().readCount(X, 0).append(X, 1).committed();
    attempt().readCount(X, 0).committed();
    attempt().readCount(X, 1).committed();
    finds(Kind.G_SINGLE_REALTIME);
  }

  @Test
  void aTotalThatNobodyReachedIsGarbage() {
    attempt().readCount(X, 0).append(X, 1).committed();
    attempt().readCount(X, 2).committed();
    finds(Kind.GARBAGE);
  }

  @Test
  void aLongCycleIsPrintedOnce() {
    Attempt[] ring = new Attempt[5];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = attempt();
    }
    for (int i = 0; i < ring.length; i++) {
      ring[i].append(i, i + 1).read((i + 1) % ring.length).committed();
    }
    attempt()
        .range(0, 5, new long[] {0, 1, 2, 3, 4}, new int[][] {{1}, {2}, {3}, {4}, {5}})
        .committed();
    String text = finds(Kind.G2_ITEM);
    assertEquals(5, text.split("must come before the next", -1).length - 1, text);
    assertEquals(1, Checker.check(history).anomalies().size());
  }
}
