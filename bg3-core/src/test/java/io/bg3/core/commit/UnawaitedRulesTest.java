package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commits whose threads do not wait for the disk: one listener each, which is told once. */
class UnawaitedRulesTest {
  private final Log log = new Log();
  private final PendingCommit origin = PendingCommit.origin(0, 0);
  private final Visibility visibility = new Visibility(origin, new Totals(), log);
  private final List<String> told = new ArrayList<>();
  private PendingCommit tail = origin;

  /** A log that is durable as far as the test says. */
  private static final class Log implements DurableLog {
    private long durable;
    private long end; // what a sync makes durable
    private boolean isShort;
    private IOException failure; // null if there is none
    private int asked;

    @Override
    public long durable() {
      return durable;
    }

    @Override
    public boolean leadIfShort() throws IOException {
      if (failure != null) {
        throw failure;
      }
      durable = isShort ? end : durable;
      return isShort;
    }

    @Override
    public void request() {
      asked++;
    }
  }

  /** Writes down what it is told. */
  private class Listener implements CommitListener {
    private final String name;

    Listener(String name) {
      this.name = name;
    }

    @Override
    public void waits() {
      told.add(name + " waits");
    }

    @Override
    public void visible() {
      told.add(name + " is visible");
    }

    @Override
    public void unknown(OutcomeUnknownException failure) {
      told.add(name + " is unknown: " + failure.getCause().getMessage());
    }
  }

  /** Has the log synced later. */
  private final class Gathering extends Listener {
    private final List<CommitSync> syncs = new ArrayList<>();

    Gathering(String name) {
      super(name);
    }

    @Override
    public void needs(CommitSync sync) {
      syncs.add(sync);
    }
  }

  private PendingCommit issue() {
    PendingCommit commit = new PendingCommit(null);
    commit.stamp = tail.stamp + 1;
    commit.end = tail.end + 10;
    tail.next = commit;
    tail = commit;
    log.end = commit.end;
    return commit;
  }

  private PendingCommit applied() {
    PendingCommit commit = issue();
    visibility.markApplied(commit);
    return commit;
  }

  private void sync(PendingCommit commit) {
    log.durable = commit.end;
    visibility.advance();
  }

  @RuleTest(
      rule = 59,
      twins =
          @Twin(
              name = "a listener is not told that its commit is visible",
              in = "io.bg3.core.commit.Visibility",
              method = "wake",
              without = "Visibility.tell"))
  void itsListenerIsToldWhenItIsDurable() {
    PendingCommit first = applied();
    PendingCommit second = applied();
    visibility.awaitBy(new Listener("first"), first);
    visibility.awaitBy(new Listener("second"), second);
    assertEquals(List.of("first waits", "second waits"), told);
    sync(first);
    assertEquals(List.of("first waits", "second waits", "first is visible"), told);
    sync(second);
    visibility.fail(new IOException("over"));
    assertEquals(
        List.of("first waits", "second waits", "first is visible", "second is visible"), told);
  }

  /** No thread waits for such a commit, so none of them would sync the log. */
  @RuleTest(
      rule = 59,
      twins =
          @Twin(
              name = "no sync is asked for behind a commit that nobody waits for",
              in = "io.bg3.core.commit.Visibility",
              method = "awaitBy",
              without = "Visibility.ask"))
  void aSyncIsAskedForBehindIt() {
    visibility.awaitBy(new Listener("it"), applied());
    assertEquals(1, log.asked);
  }

  @RuleTest(
      rule = 59,
      twins =
          @Twin(
              name = "a commit whose listener cannot ask for a sync stays without",
              in = "io.bg3.core.commit.Visibility",
              method = "ask",
              without = "DurableLog.request"))
  void aSyncIsAskedForIfItsListenerFailsTo() {
    visibility.awaitBy(
        new Listener("it") {
          @Override
          public void needs(CommitSync sync) {
            throw new IllegalStateException("planted");
          }
        },
        applied());
    assertEquals(1, log.asked);
    assertEquals(List.of("it waits"), told);
  }

  @RuleTest(
      rule = 59,
      twins =
          @Twin(
              name = "a thread does not show what it has synced by itself",
              in = "io.bg3.core.commit.Visibility",
              method = "syncIfShort",
              without = "Visibility.hasLed"))
  void listenersAreToldByTheThreadThatSyncsForThemLater() {
    Gathering first = new Gathering("first");
    Gathering second = new Gathering("second");
    visibility.awaitBy(first, applied());
    visibility.awaitBy(second, applied());
    assertEquals(List.of(visibility), first.syncs);
    assertEquals(first.syncs, second.syncs);
    assertEquals(0, log.asked);
    assertFalse(visibility.syncIfShort());
    assertEquals(List.of("first waits", "second waits"), told);
    log.isShort = true;
    assertTrue(visibility.syncIfShort());
    assertEquals(
        List.of("first waits", "second waits", "first is visible", "second is visible"), told);
    visibility.request();
    assertEquals(1, log.asked);
  }

  @RuleTest(
      rule = 59,
      twins =
          @Twin(
              name = "a thread whose own sync fails tells no listener",
              in = "io.bg3.core.commit.Visibility",
              method = "syncIfShort",
              without = "Visibility.fail"))
  void listenersAreToldThatTheSyncOfTheirOwnThreadHasFailed() {
    visibility.awaitBy(new Gathering("it"), applied());
    log.failure = new IOException("planted");
    assertTrue(visibility.syncIfShort());
    assertEquals(List.of("it waits", "it is unknown: planted"), told);
  }

  @RuleTest(
      rule = 59,
      twins =
          @Twin(
              name = "a listener is not told that the store has failed",
              in = "io.bg3.core.commit.Visibility",
              method = "wakeAll",
              without = "Visibility.tell"))
  void itsListenerIsToldThatTheStoreHasFailed() {
    PendingCommit first = applied();
    visibility.awaitBy(new Listener("first"), first);
    visibility.awaitBy(new Listener("second"), applied());
    sync(first);
    visibility.fail(new IOException("planted"));
    visibility.fail(new IOException("later"));
    assertEquals(
        List.of("first waits", "second waits", "first is visible", "second is unknown: planted"),
        told);
  }

  @RuleTest(
      rule = 59,
      sites =
          @Site(
              name = "gets its listener",
              in = "io.bg3.core.commit.Visibility",
              method = "awaitBy",
              before = "PendingCommit.setListener"),
      twins =
          @Twin(
              name = "a listener that comes too late is told nothing",
              in = "io.bg3.core.commit.Visibility",
              method = "awaitBy",
              without = "Visibility.tell"))
  void aListenerThatComesTooLateIsToldAtOnce() {
    PendingCommit first = applied();
    PendingCommit second = applied();
    Sites.at("gets its listener", () -> sync(first));
    visibility.awaitBy(new Listener("first"), first);
    Sites.requirePassed("gets its listener");
    Sites.at("gets its listener", () -> visibility.fail(new IOException("planted")));
    visibility.awaitBy(new Listener("second"), second);
    assertEquals(
        List.of("first waits", "first is visible", "second waits", "second is unknown: planted"),
        told);
  }

  @Test
  void oneThatIsDurableAlreadyHasNothingToSay() {
    PendingCommit commit = applied();
    sync(commit);
    visibility.awaitBy(new Listener("it"), commit);
    visibility.awaitBy(new Listener("nothing"), null);
    assertTrue(told.isEmpty());
    assertEquals(0, log.asked);
  }

  /** A commit that is durable is not seen before an earlier one is in the pages. */
  @Test
  void itsListenerIsNotToldBeforeItIsVisible() {
    PendingCommit first = issue();
    PendingCommit second = applied();
    log.durable = second.end;
    visibility.awaitBy(new Listener("second"), second);
    assertEquals(List.of("second waits"), told);
    visibility.markApplied(first);
    assertEquals(List.of("second waits", "second is visible"), told);
  }

  @Test
  void aListenerThatThrowsKeepsNobodyElseFromBeingTold() {
    PendingCommit first = applied();
    PendingCommit second = applied();
    visibility.awaitBy(
        new CommitListener() {
          @Override
          public void waits() {}

          @Override
          public void visible() {
            throw new IllegalStateException("planted");
          }

          @Override
          public void unknown(OutcomeUnknownException failure) {
            throw new AssertionError(failure);
          }
        },
        first);
    visibility.awaitBy(new Listener("second"), second);
    sync(second);
    assertEquals(List.of("second waits", "second is visible"), told);
    assertNull(visibility.failure());
  }
}
