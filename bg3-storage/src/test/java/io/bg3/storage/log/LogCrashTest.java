package io.bg3.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.Sites;
import io.bg3.storage.log.LogOracle.Violation;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * Lives thousands of logs under crashes and compares each with an oracle. Then does so with logs
 * that keep one rule less, which the oracle must notice. A failure prints its seed; repeat it with
 * {@code -Dbg3.seed=…}.
 */
class LogCrashTest {
  private static final int SEEDS = 2_500;
  private static final int SEEDS_TO_CATCH_A_TWIN = 3_000;

  @Test
  void nothingAcknowledgedIsLostAndNothingIsInventedWhereverTheLogIsCut() throws IOException {
    Sites sites = new Sites();
    LogCampaign campaign =
        new LogCampaign(sites, new TailValidator(), new LogRepair(), SegmentFiles::new);
    long[] seeds = Seeds.of(SEEDS).toArray();
    long started = System.nanoTime();
    for (long seed : seeds) {
      try {
        campaign.run(seed);
      } catch (Violation | AssertionError e) {
        throw new AssertionError("-Dbg3.seed=" + seed + ": " + e.getMessage(), e);
      }
    }
    System.out.printf(
        "log: cuts=%d, in recovery=%d, faults=%d, flips=%d, sites cut=%d, seconds=%.1f%n",
        campaign.cuts(),
        campaign.recoveryCuts(),
        campaign.faults(),
        campaign.flips(),
        sites.cut().size(),
        (System.nanoTime() - started) / 1e9);
    if (seeds.length == SEEDS) {
      assertEquals(Set.of(), sites.uncut(), "sites that were never cut");
      assertTrue(campaign.recoveryCuts() > SEEDS / 4);
    }
  }

  @Test
  void aTailTakenForDamageIsReported() throws IOException {
    assertCaught(
        new TailValidator() {
          @Override
          String evidence(SegmentChain chain, long position, long manifest, TailScan scan) {
            return scan.used() > position ? "there is something" : null;
          }
        },
        new LogRepair(),
        "damage reported where none was done");
  }

  @Test
  void aHoleBeforeAWholeRecordTakenForDamageIsReported() throws IOException {
    assertCaught(
        new TailValidator() {
          @Override
          String evidence(SegmentChain chain, long position, long manifest, TailScan scan) {
            return scan.records() > 0 ? "there is a record behind" : null;
          }
        },
        new LogRepair(),
        "damage reported where none was done");
  }

  @Test
  void damageTakenForATailIsReported() throws IOException {
    assertCaught(
        new TailValidator() {
          @Override
          String evidence(SegmentChain chain, long position, long manifest, TailScan scan) {
            return null;
          }
        },
        new LogRepair(),
        "lost");
  }

  @Test
  void aReplayThatIsNotSyncedIsReported() throws IOException {
    assertCaught(
        new TailValidator(),
        new LogRepair() {
          @Override
          void syncReplayed(List<Segment> segments) {}
        },
        ""); // as lost, or as damage where a later record survived
  }

  @Test
  void aReplayOfPagesWhoseSyncFailedIsReported() throws IOException {
    assertCaught(
        new TailValidator(),
        new LogRepair() {
          @Override
          void rewrite(List<Segment> segments, long from, long to) {}
        },
        "");
  }

  @Test
  void aSegmentThatIsWrittenBeforeItsNewNameIsDurableIsReported() throws IOException {
    assertCaught(
        new TailValidator(),
        new LogRepair(),
        (disk, settings) ->
            new SegmentFiles(disk, settings) {
              @Override
              void syncDirectory(Disk on) {}
            },
        "");
  }

  private static void assertCaught(TailValidator judge, LogRepair repair, String expected)
      throws IOException {
    assertCaught(judge, repair, SegmentFiles::new, expected);
  }

  private static void assertCaught(
      TailValidator judge,
      LogRepair repair,
      BiFunction<Disk, LogSettings, SegmentFiles> files,
      String expected)
      throws IOException {
    LogCampaign campaign = new LogCampaign(new Sites(), judge, repair, files);
    Violation found = null;
    for (long seed = 0; found == null && seed < SEEDS_TO_CATCH_A_TWIN; seed++) {
      try {
        campaign.run(seed);
      } catch (Violation e) {
        found = e;
      }
    }
    assertNotNull(found, "the broken twin was not caught");
    assertTrue(found.getMessage().contains(expected), found.getMessage());
  }
}
