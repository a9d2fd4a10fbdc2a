package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a thread that has other things to do syncs the log by itself. */
class OwnSyncRulesTest {
  private static final int SMALL = 20;
  private static final int LARGE = 64 << 10;

  private long now;
  private long step = 1; // each look at the clock takes so long, so a sync does
  private final WriteAheadLog log =
      WriteAheadLog.create(new CrashingDisk(), new LogSettings(1, 8192, 1 << 20, 1 << 20, 4096), 0);
  private final GroupSync group = new GroupSync(log, new SyncTimes(() -> now += step));

  /** An empty log. */
  OwnSyncRulesTest() throws IOException {}

  private long append(int bytes) throws IOException {
    log.reserve(bytes);
    return log.append(ByteBuffer.allocate(bytes));
  }

  private void write() throws IOException {
    group.write(append(SMALL));
  }

  @Test
  void itSyncsNothingBeforeOneSyncWasMeasured() throws IOException {
    append(SMALL);
    assertFalse(group.leadIfShort());
    assertEquals(0, log.durable());
  }

  @Test
  void itSyncsAllThatIsAppended() throws IOException {
    write();
    append(SMALL);
    long end = append(SMALL);
    assertTrue(group.leadIfShort());
    assertEquals(end, log.durable());
  }

  @RuleTest(
      rule = 59,
      twins =
          @Twin(
              name = "an event loop syncs the log though the last sync was long",
              in = "io.bg3.core.commit.GroupSync",
              method = "leadIfShort",
              without = "SyncTimes.areShort",
              result = 1))
  void itSyncsOnlyIfTheLastSyncsWereShort() throws IOException {
    write();
    step = TimeUnit.MILLISECONDS.toNanos(1);
    write();
    step = 1;
    long end = append(SMALL);
    assertFalse(group.leadIfShort());
    assertTrue(log.durable() < end);
  }

  @RuleTest(
      rule = 59,
      twins =
          @Twin(
              name = "an event loop writes all that is appended to the log, however much",
              in = "io.bg3.core.commit.GroupSync",
              method = "leadIfShort",
              without = "GroupSync.isLittle",
              result = 1))
  void itSyncsOnlyIfLittleIsToBeWritten() throws IOException {
    write();
    long end = append(LARGE);
    assertFalse(group.leadIfShort());
    assertTrue(log.durable() < end);
  }

  @RuleTest(
      rule = 59,
      sites =
          @Site(
              name = "writer syncs",
              in = "io.bg3.core.commit.GroupSync",
              method = "write",
              before = "GroupSync.syncTo"),
      twins =
          @Twin(
              name = "an event loop waits for a sync of the log's thread",
              in = "io.bg3.core.commit.GroupSync",
              method = "leadIfShort",
              without = "GroupSync.isWriterAtIt"))
  void itDoesNotWaitForTheWriter() throws IOException {
    write();
    boolean[] synced = {true};
    Sites.at(
        "writer syncs",
        () -> {
          try {
            synced[0] = group.leadIfShort();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    write();
    Sites.requirePassed("writer syncs");
    assertFalse(synced[0]);
    append(SMALL);
    assertTrue(group.leadIfShort(), "the writer has ended");
  }
}
