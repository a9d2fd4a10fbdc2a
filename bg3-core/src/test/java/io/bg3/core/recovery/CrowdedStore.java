package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.storage.file.Disk;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A store in which few vertices may wait, and what moves them. */
final class CrowdedStore extends ModelledStore {
  static final int OWNERS = 40;
  static final int EDGES = 24; // half of them of the family
  static final int ENTRIES = 8;
  static final int WAITING = 3;
  static final FamilySettings SPLITTING = new FamilySettings(0, 0, 0, ENTRIES, null);
  static final FamilySettings SPLITTING_LATER = new FamilySettings(0, 0, 0, 2 * ENTRIES, null);
  static final FamilySettings STAYING = new FamilySettings(0, 0, 0, 0, null);

  OwnerMover mover;

  CrowdedStore() throws IOException {
    this(disk -> disk);
  }

  /** A store whose disk is looked at through another one. */
  CrowdedStore(UnaryOperator<Disk> through) throws IOException {
    super(new EdgeModel(EdgeModel.TAG_LABEL, EdgeModel.OF_FAMILY), 1, through);
    opened.defineFamily(1, SPLITTING);
    start();
  }

  /** Notices vertices, as a mover that has started. */
  void start() {
    mover = new OwnerMover(opened.transactions(), forest(), ENTRIES);
    forest().heavyOwners().keepAtMost(WAITING);
    forest().heavyOwners().noticeAbove(ENTRIES);
    forest().heavyOwners().noticeInFamilies();
  }

  /** Edges of all vertices, in one commit. */
  void fillAtOnce() {
    opened.commit(
        transaction -> {
          for (long owner = 0; owner < OWNERS; owner++) {
            for (int other = 0; other < EDGES; other++) {
              model.put(transaction, owner, other, new byte[] {(byte) other});
            }
          }
        });
  }

  /** The vertices that wait, which do so no longer. */
  List<FamilyOwner> noticed() {
    List<FamilyOwner> noticed = new ArrayList<>();
    FamilyOwner owner = forest().heavyOwners().poll();
    while (owner != null) {
      noticed.add(owner);
      owner = forest().heavyOwners().poll();
    }
    return noticed;
  }

  /** Does what a mover with nothing else to do does, until it finds nothing. */
  void search() {
    while (mover.hasPassedOver()) {
      mover.search();
    }
  }

  void requireAllMoved() {
    for (long owner = 0; owner < OWNERS; owner++) {
      for (int family = 0; family < 2; family++) {
        FamilyOwner each = new FamilyOwner(owner, family);
        assertTrue(forest().isDedicated(each), each::toString);
      }
    }
  }

  /** Takes all of the memory budget that is free; says how much. */
  long takeRestOfMemory() {
    opened.opened().space().epochs().reclaim();
    long rest = budget().limit() - budget().used();
    budget().reserve(rest);
    return rest;
  }

  void giveBackMemory(long bytes) {
    budget().release(bytes);
  }

  MemoryBudget budget() {
    return opened.opened().space().memory().budget();
  }
}
