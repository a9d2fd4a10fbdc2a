package io.bg3;

import io.bg3.core.entry.Lifetimes;
import io.bg3.core.recovery.Checkpointer;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * The extents of the edge labels that have one time to live, at one moment, and what has become of
 * such extents since the store was opened.
 *
 * @param family number of the family
 * @param ttlMillis the time to live of its labels, in milliseconds
 * @param extents number of files
 * @param written bytes in them
 * @param live bytes of them that are still wanted, not above {@code written}
 * @param expired files that went because everything in them had expired
 * @param moved bytes that were copied out of files with garbage
 */
public record FamilyUse(
    int family, long ttlMillis, int extents, long written, long live, long expired, long moved) {
  /** The families of a store that have a time to live, by number. */
  static List<FamilyUse> of(
      List<ExtentUsage> usage, ExtentStore extents, Checkpointer checkpointer, Lifetimes times) {
    List<FamilyUse> families = new ArrayList<>();
    for (int family = 1; times.ofFamily(family) > 0; family++) {
      int of = family;
      List<ExtentUsage> own = usage.stream().filter(each -> each.family() == of).toList();
      families.add(
          new FamilyUse(
              of,
              times.ofFamily(of),
              own.size(),
              own.stream().mapToLong(ExtentUsage::written).sum(),
              own.stream().mapToLong(ExtentUsage::liveInFile).sum(),
              checkpointer.expiredExtents(of),
              extents.movedBytesOfFamily(of)));
    }
    return families;
  }
}
