package io.bg3.core.tree;

import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;

/** A budget that refuses one allocation, once it is told which. For one thread. */
final class RefusingBudget extends MemoryBudget {
  private int left = -1;
  private boolean refused;

  RefusingBudget() {
    super(256 << 20, "bg3.memory.budget");
  }

  /** Refuses the allocation that comes after so many. */
  void refuseAfter(int allocations) {
    left = allocations;
    refused = false;
  }

  /** Refuses nothing from now on; says whether an allocation was refused. */
  boolean end() {
    left = -1;
    return refused;
  }

  @Override
  public void reserve(long bytes) {
    if (left >= 0 && left-- == 0) {
      refused = true;
      throw new MemoryExceededException("planted", settingName(), bytes, used(), limit());
    }
    super.reserve(bytes);
  }
}
