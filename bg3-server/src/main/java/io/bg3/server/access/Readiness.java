package io.bg3.server.access;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Whether the server accepts requests. It does after {@link #open}, as long as every condition
 * holds.
 *
 * <p>Threads: any.
 */
public final class Readiness {
  private volatile List<BooleanSupplier> conditions = List.of(() -> false);

  /** Called when the ports are open: the server is ready whenever all conditions hold. */
  public void open(BooleanSupplier... all) {
    conditions = List.of(all);
  }

  /** Whether the server accepts requests now. */
  public boolean isReady() {
    return conditions.stream().allMatch(BooleanSupplier::getAsBoolean);
  }
}
