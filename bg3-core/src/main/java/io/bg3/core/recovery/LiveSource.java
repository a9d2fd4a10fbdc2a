package io.bg3.core.recovery;

import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.entry.Horizon;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.util.List;

/** The commits of a store that serves transactions. */
class LiveSource implements CheckpointSource {
  private final TransactionManager transactions;
  private final WriteAheadLog log;

  LiveSource(TransactionManager transactions, WriteAheadLog log) {
    this.transactions = transactions;
    this.log = log;
  }

  @Override
  public ReplayStart replayStart() {
    return transactions.replayStart();
  }

  @Override
  public long newest() {
    return transactions.issued();
  }

  @Override
  public TotalsImage totals(ReplayStart start) {
    return transactions.totals(start.stamp());
  }

  @Override
  public List<Long> takeWrittenValues() {
    return transactions.takeWrittenValues();
  }

  @Override
  public void storedValues(long[] locations) {
    transactions.storedValues(locations);
  }

  @Override
  public Horizon horizon() {
    return transactions.horizon();
  }

  @Override
  public boolean awaitsClock(int family, long newest) {
    return transactions.awaitsClock(family, newest);
  }

  @Override
  public boolean clockLeads() {
    return transactions.clockLeads();
  }

  @Override
  public void commitClock() {
    transactions.commitClock();
  }

  @Override
  public long syncLog() {
    return transactions.syncLog();
  }

  @Override
  public Throwable failure() {
    return transactions.failure();
  }

  @Override
  public void fail(Throwable cause) {
    transactions.fail(cause);
  }

  @Override
  public void workBegins() {
    transactions.throttle().dirty().workBegins();
  }

  @Override
  public void workEnds() {
    transactions.throttle().dirty().workEnds();
  }

  @Override
  public void checkpointPauses() {
    transactions.throttle().dirty().workEnds();
    transactions.throttle().log().checkpointPauses();
  }

  @Override
  public void checkpointGoesOn() {
    transactions.throttle().log().checkpointGoesOn();
    transactions.throttle().dirty().workBegins();
  }

  @Override
  public boolean commitsWait() {
    return transactions.throttle().isAwaited();
  }

  @Override
  public void checkpointBegins() {
    transactions.throttle().log().checkpointBegins();
  }

  @Override
  public void checkpointWrote(int written, int all) {
    transactions.throttle().log().checkpointWrote(written, all);
  }

  @Override
  public void valuesCounted(long excess, long room, long nanos) {
    transactions.throttle().values().checkpointed(excess, room, nanos);
  }

  @Override
  public void checkpointEnds(long position) throws IOException {
    log.truncateBefore(position);
    transactions.throttle().log().checkpointEnds(position);
  }
}
