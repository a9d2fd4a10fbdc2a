package io.bg3.core.commit;

import io.bg3.core.table.Pins;
import io.bg3.core.tree.LeafAdmission;
import io.bg3.storage.Waiting;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;

/**
 * The memory of one commit: that of its entries, and its leaves, which are pinned. Made by {@link
 * CommitAdmission}; belongs to the thread that commits.
 */
public final class AdmittedCommit implements LeafAdmission, AutoCloseable {
  /** More than it needs is asked for at once: this part of what all commits may keep. */
  private static final int STEP_SHARE = 256;

  private static final long MOST_STEP = 64 << 10;

  /** It keeps little while it keeps no more than this part of what all commits may keep. */
  private static final int LITTLE_SHARE = 8;

  private final CommitAdmission admission;
  private final MemoryBudget budget;
  private final TreeBatches batches;
  private final long entryBytes;
  private final CommitAdmission.Mode mode;
  private final long patienceMillis;

  private long requested; // of the budget
  private Pins.Registration registration;
  private long found; // bytes of the entries and of the leaves found
  private long kept; // of what all commits may keep
  private boolean refused;
  private boolean tooLarge;

  AdmittedCommit(
      CommitAdmission admission,
      MemoryBudget budget,
      TreeBatches batches,
      long entryBytes,
      CommitAdmission.Mode mode,
      long patienceMillis) {
    this.admission = admission;
    this.budget = budget;
    this.batches = batches;
    this.entryBytes = entryBytes;
    this.mode = mode;
    this.patienceMillis = patienceMillis;
  }

  /** Requests the memory of the entries; says whether the leaves may be looked for. */
  boolean begin(Pins pins) {
    if (!keeps(entryBytes) || !admission.mayBegin(mode) || !isRequested()) {
      refused = true;
      return false;
    }
    requested = entryBytes;
    registration = pins.register();
    return true;
  }

  /** Requests the memory of the entries, behind what they count for (A5). */
  private boolean isRequested() {
    if (Waiting.isForbidden()) {
      return budget.tryRequest(entryBytes);
    }
    budget.request(entryBytes);
    return true;
  }

  /** Its writes. */
  TreeBatches batches() {
    return batches;
  }

  /**
   * The first of its keys that was written since the snapshot that it was admitted with, named for
   * people; null if there is none.
   */
  public String newer() {
    return batches.newer();
  }

  @Override
  public long pin() {
    return registration.number();
  }

  @Override
  public long patienceMillis() {
    return patienceMillis;
  }

  @Override
  public boolean keeps(long bytes) {
    found += bytes;
    if (found <= kept) {
      return true;
    }
    if (found > admission.most()) {
      throw tooLarge();
    }
    long more = Math.max(found - kept, Math.min(MOST_STEP, admission.shared() / STEP_SHARE));
    if (!admission.keepMore(mode, kept, more)) {
      refused = true;
      return false;
    }
    kept += more;
    return true;
  }

  @Override
  public boolean keepsLittle() {
    return found <= admission.shared() / LITTLE_SHARE;
  }

  /** Whether it was not admitted because of what others keep. */
  boolean isRefused() {
    return refused;
  }

  private MemoryExceededException tooLarge() {
    tooLarge = true;
    return new MemoryExceededException(
        "the entries of a commit and the leaves that they change take more than three quarters of"
            + " the memory budget, as far as they were counted",
        budget.settingName(),
        found,
        budget.used(),
        budget.limit());
  }

  /** The exception of a commit that gets no memory for a leaf, though it has waited. */
  MemoryExceededException exceeded(MemoryExceededException e) {
    if (tooLarge || !e.setting().equals(budget.settingName())) {
      return e;
    }
    return new MemoryExceededException(
        "memory budget exceeded by a commit that has "
            + found
            + " bytes in its entries and in the leaves that they change",
        budget.settingName(),
        e.asked(),
        e.used(),
        e.limit(),
        e);
  }

  /** Lets go of everything. */
  @Override
  public void close() {
    if (registration != null) {
      registration.close();
      registration = null;
    }
    budget.release(requested);
    requested = 0;
    admission.letGo(kept);
    kept = 0;
  }
}
