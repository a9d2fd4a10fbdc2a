package io.bg3.bench.work;

import io.bg3.bench.store.BatchReader;
import io.bg3.bench.store.StoreReader;
import java.util.function.LongSupplier;

/** {@code scan-batch}: the same as {@code scan}, many vertices in one call. */
final class BatchScans extends Scans {
  @Override
  String name() {
    return "scan-batch";
  }

  @Override
  String how() {
    return batchSetting();
  }

  @Override
  LongSupplier pass(StoreReader reader, long[] owners) {
    return batches((BatchReader) reader, owners);
  }
}
