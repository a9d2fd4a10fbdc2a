package io.bg3.bench.work;

import io.bg3.bench.store.BatchReader;
import io.bg3.bench.store.StoreReader;
import java.util.function.LongSupplier;

/** {@code scan-batch}: as {@code scan}, with many vertices in one call. */
final class BatchScans extends Scans {
  private static final int BATCH = 256;

  @Override
  String name() {
    return "scan-batch";
  }

  @Override
  String how(Task task) {
    return BATCH + " vertices a call, " + task.conditions().snapshots().text(BATCH);
  }

  @Override
  LongSupplier pass(Task task, StoreReader reader, long[] owners) {
    BatchReader batches = (BatchReader) reader;
    int snapshot = BATCH * task.conditions().snapshots().operations(BATCH);
    return () -> {
      long sum = 0;
      for (int i = 0; i < owners.length; i += BATCH) {
        if (i % snapshot == 0) {
          reader.renew();
        }
        sum += batches.sum(owners, i, Math.min(owners.length, i + BATCH));
      }
      return sum;
    };
  }
}
