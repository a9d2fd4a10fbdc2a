package io.bg3.server.access;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Whether a server takes requests: not before its ports are open, and from then on as long as all
 * conditions hold that it was opened with. It keeps no state of its own that they have. Threads:
 * any.
 */
public final class Readiness {
  private volatile List<BooleanSupplier> conditions = List.of(() -> false);

  /** The ports are open; the server is ready while all of these hold. */
  public void open(BooleanSupplier... all) {
    conditions = List.of(all);
  }

  /** Whether it takes requests. */
  public boolean isReady() {
    return conditions.stream().allMatch(BooleanSupplier::getAsBoolean);
  }
}
