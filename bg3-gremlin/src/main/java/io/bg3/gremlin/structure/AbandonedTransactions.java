package io.bg3.gremlin.structure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rolls back the transactions of threads that have ended: Gremlin Server leaves those of clients
 * that went away, and code that starts a thread may forget to end its transaction. Without this
 * each of them would hold back the removal of old versions for ever.
 *
 * <p>One daemon thread looks at all open graphs once a second; it starts with the first graph. That
 * a thread has ended ({@link Thread#isAlive}) makes everything it did visible to the sweeper, which
 * may therefore end its transaction.
 */
final class AbandonedTransactions {
  private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);
  private static final long EVERY_MILLIS = 1000;
  private static final Set<Bg3Transaction> WATCHED = ConcurrentHashMap.newKeySet();
  private static boolean started;

  private AbandonedTransactions() {}

  static synchronized void watch(Bg3Transaction transactions) {
    WATCHED.add(transactions);
    if (!started) {
      started = true;
      Thread sweeper = new Thread(AbandonedTransactions::sweep, "bg3-abandoned-transactions");
      sweeper.setDaemon(true);
      sweeper.start();
    }
  }

  static void forget(Bg3Transaction transactions) {
    WATCHED.remove(transactions);
  }

  private static void sweep() {
    while (true) {
      try {
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
      } catch (InterruptedException e) {
        continue; // nobody has a reason to interrupt it, and it must not end
      }
      for (Bg3Transaction transactions : WATCHED) {
        try {
          transactions.endAbandoned();
        } catch (RuntimeException e) {
          LOG.warn("cannot roll back abandoned transactions: {}", e.toString(), e);
        }
      }
    }
  }
}
