package io.bg3.core.tree;

import io.bg3.storage.memory.MemoryExceededException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the changes of a tree's shape that were put off because memory ran out, and warns of them,
 * once a minute at most. Nothing is lost by one: the page is right as it is, and larger or emptier
 * than it should be. Threads: any.
 */
final class DeferredMaintenance {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredMaintenance.class);
  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongAdder count = new LongAdder();
  private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());

  void add(int tree, int page, MemoryExceededException cause) {
    count.increment();
    long now = System.nanoTime();
    long next = nextWarning.get();
    if (now - next >= 0 && nextWarning.compareAndSet(next, now + INTERVAL_NANOS)) {
      LOG.warn(
          "consolidation, split or removal of a page is deferred: tree={}, page={}, times={}: {}",
          tree,
          page,
          count.sum(),
          cause.getMessage());
    }
  }

  /** The number of pages that were put off since the store was opened. */
  long count() {
    return count.sum();
  }
}
