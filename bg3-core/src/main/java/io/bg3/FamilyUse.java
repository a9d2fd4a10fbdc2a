package io.bg3;

import io.bg3.core.recovery.Checkpointer;
import io.bg3.core.recovery.OpenedStore;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.Tree;
import io.bg3.storage.extent.ExtentUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * The extents of a family of edge labels, at one moment, and what has become of such extents since
 * the store was opened.
 *
 * @param family number of the family
 * @param name of a family that was defined; null for the labels with one time to live that have
 *     none
 * @param ttlMillis the time to live of its labels, in milliseconds; 0 if their edges stay
 * @param extents number of files
 * @param written bytes in them
 * @param live bytes of them that are still wanted, not above {@code written}
 * @param expired files that went because everything in them had expired
 * @param moved bytes that were copied out of files with garbage
 */
public record FamilyUse(
    int family,
    String name,
    long ttlMillis,
    int extents,
    long written,
    long live,
    long expired,
    long moved) {
  /** The families of a store, by number. */
  static List<FamilyUse> of(
      List<ExtentUsage> usage,
      OpenedStore store,
      Checkpointer checkpointer,
      TransactionManager transactions) {
    List<FamilyUse> families = new ArrayList<>();
    for (Tree tree : store.forest().familyTrees()) {
      int family = tree.shape().family();
      List<ExtentUsage> own = usage.stream().filter(each -> each.family() == family).toList();
      families.add(
          new FamilyUse(
              family,
              transactions.dictionary().families().name(family),
              transactions.lifetimes().ofFamily(family),
              own.size(),
              own.stream().mapToLong(ExtentUsage::written).sum(),
              own.stream().mapToLong(ExtentUsage::liveInFile).sum(),
              checkpointer.reclaiming().expiredExtents(family),
              store.extents().movedBytesOfFamily(family)));
    }
    return families;
  }

  /** Its name, or its time to live if it has none: for people. */
  public String title() {
    return name == null ? "ttl " + ttlMillis + " ms" : name;
  }
}
