package io.bg3.core.recovery;

import static java.util.stream.Collectors.toSet;

import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.tree.PageLoader;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.Stream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Which VALUE records the images of the last checkpoint refer to: a value is wanted while an image
 * that a checkpoint names refers to it (R7).
 *
 * <p>Kept are the references of the pages that are in memory. A page in storage, whose row the last
 * manifest names, refers to what it did when it left memory or the store was opened, and no other
 * page does, since an entry moves from page to page in memory only. So whatever loses its last
 * reference here has lost its last.
 *
 * <pre>
 *   page                       its references
 *   in memory                  kept
 *   evicted, row not named     kept until a manifest names the row: the value may have come with a
 *                              split, and the flush of the other half makes it a suspect
 *   evicted, row named         the lasting ones are forgotten, and counted again when it is loaded;
 *                              the others stay, since the page may be loaded without them
 * </pre>
 *
 * <p>Two sums of them are kept apart, because two parties count:
 *
 * <pre>
 *   the running store    values of all versions in its pages, and those of commits whose entries
 *                        are not in any image yet: what the extents count as live
 *   opening the store    values of the newest versions in the images: nobody reads older ones, and
 *                        replay appends those of later commits anew
 * </pre>
 *
 * The manifest's rows say the second ({@link #asOpened}), so opening need not look into any page. A
 * manifest of rows (R52) names older images of some pages: for these it counts what they refer to.
 *
 * <ul>
 *   <li>V1: a page's lasting references, as its image is written, are what it refers to when that
 *       image is loaded: loading leaves all but the newest versions out where a value is concerned.
 *   <li>V2: {@code lasting} of an extent is the sum over the lasting references of all pages,
 *       loaded or not.
 * </ul>
 *
 * <p>A split moves a reference from one page to another in one checkpoint, so references are
 * counted by location.
 *
 * <p>Threads: any; {@code this} is the guard.
 */
final class ValueReferences implements PageLoader.Listener {
  /** Records of one extent that the next opening will want. */
  private static final class Lasting {
    long bytes;
    long records;
  }

  private static final Lasting NO_LASTING = new Lasting();

  /** The references of a page. */
  private static final class Known {
    final LargeValueLocations references;
    boolean evicted;

    Known(LargeValueLocations references) {
      this.references = references;
    }
  }

  private final Map<Integer, Known> byPage = new HashMap<>();

  /** Pages with references whose newest images no manifest names yet. */
  private final Set<Integer> unnamed = new HashSet<>();

  /** By page with newer images: the references of the images that the last manifest names. */
  private final Map<Integer, LargeValueLocations> named = new HashMap<>();

  private final Map<Long, Integer> counts = new HashMap<>();
  private final Map<Integer, Lasting> lasting = new HashMap<>();

  /**
   * Locations that lost a reference since {@link #takeUnreferenced}; some may have gained another
   * since.
   */
  private final Set<Long> suspects = new HashSet<>();

  /**
   * The references of stored pages, none of them loaded.
   *
   * @param opened what the manifest says of the extents
   */
  ValueReferences(List<ExtentUsage> opened) {
    for (ExtentUsage usage : opened) {
      if (usage.stream() == Stream.VALUE) {
        Lasting live = of(usage.extent());
        live.bytes = usage.live();
        live.records = usage.liveRecords();
      }
    }
  }

  /**
   * A page comes into memory. Its lasting references are known now, and were counted before. Of
   * those that stayed when it was evicted the page may have fewer: its image refers to them.
   */
  @Override
  public synchronized void loaded(int page, LargeValueLocations references) {
    Known known = byPage.get(page);
    if (known == null) {
      if (!references.isEmpty()) {
        count(page, references);
      }
    } else if (known.evicted) {
      known.evicted = false;
      if (!unnamed.contains(page)) {
        remove(page);
        count(page, references.with(known.references));
      }
    }
  }

  /** A page leaves memory. */
  @Override
  public synchronized void evicted(int page) {
    Known known = byPage.get(page);
    if (known != null) {
      known.evicted = true;
      if (!unnamed.contains(page)) {
        forgetLasting(page);
      }
    }
  }

  /** Says that a manifest names the row of each page. */
  synchronized void named() {
    for (int page : unnamed) {
      Known known = byPage.get(page);
      if (known != null && known.evicted) {
        forgetLasting(page);
      }
    }
    unnamed.clear();
    named.clear();
  }

  /**
   * Says that a manifest of rows names the newest images of the pages, but for some.
   *
   * @param reshaped pages of which it names the images that the manifest before it did
   */
  synchronized void namedAllBut(IntPredicate reshaped) {
    named.keySet().removeIf(page -> !reshaped.test(page));
  }

  private void forgetLasting(int page) {
    LargeValueLocations others = remove(page).withoutLasting();
    if (!others.isEmpty()) {
      count(page, others).evicted = true;
    }
  }

  /** Says what the newest image of a page in memory refers to. */
  synchronized void replace(int page, LargeValueLocations references) {
    if (references.isEmpty() && byPage.isEmpty() && unnamed.isEmpty()) {
      return; // as in a store without large values: nothing is looked up for each page
    }
    LargeValueLocations old = byPage.containsKey(page) ? remove(page) : LargeValueLocations.NONE;
    addLasting(references, 1);
    addLasting(old, -1);
    if (!old.isEmpty() || !references.isEmpty()) {
      named.putIfAbsent(page, old);
    }
    unnamed.remove(page);
    if (!references.isEmpty()) {
      count(page, references);
      unnamed.add(page);
    }
    for (long location : old.locations()) {
      suspects.add(location);
    }
  }

  private Known count(int page, LargeValueLocations references) {
    Known known = new Known(references);
    byPage.put(page, known);
    for (long location : references.locations()) {
      counts.merge(location, 1, Integer::sum);
    }
    return known;
  }

  private LargeValueLocations remove(int page) {
    LargeValueLocations references = byPage.remove(page).references;
    for (long location : references.locations()) {
      counts.computeIfPresent(location, (l, count) -> count == 1 ? null : count - 1);
    }
    return references;
  }

  private void addLasting(LargeValueLocations references, int sign) {
    addLasting(lasting, references, sign);
  }

  private static void addLasting(
      Map<Integer, Lasting> to, LargeValueLocations references, int sign) {
    for (int i = 0; i < references.lasting(); i++) {
      long location = references.locations()[i];
      Lasting live = of(to, Location.extent(location));
      live.bytes += sign * Location.bytes(location);
      live.records += sign;
    }
  }

  private Lasting of(int extent) {
    return of(lasting, extent);
  }

  private static Lasting of(Map<Integer, Lasting> in, int extent) {
    return in.computeIfAbsent(extent, e -> new Lasting());
  }

  /**
   * Says that a value was written to a page before the checkpoint noted it; it may have been
   * overwritten since.
   */
  synchronized void written(long location) {
    suspects.add(location);
  }

  /** The values that nobody wants any more, each once. */
  synchronized List<Long> takeUnreferenced() {
    List<Long> unreferenced = new ArrayList<>();
    for (long location : suspects) {
      if (!counts.containsKey(location)) {
        unreferenced.add(location);
      }
    }
    suspects.clear();
    return unreferenced;
  }

  /**
   * The extents as the next opening is to count them, if what was {@linkplain #replace said} of the
   * pages is what the manifest will name.
   */
  List<ExtentUsage> asOpened(List<ExtentUsage> running) {
    return asOpened(running, page -> false);
  }

  /**
   * The extents as the next opening is to count them, if the manifest names what was said of the
   * pages, but for some.
   *
   * @param reshaped pages of which it names the images that the last manifest names
   */
  synchronized List<ExtentUsage> asOpened(List<ExtentUsage> running, IntPredicate reshaped) {
    Map<Integer, Lasting> less = new HashMap<>();
    named.forEach(
        (page, old) -> {
          if (reshaped.test(page)) {
            addLasting(less, ofPage(page), 1);
            addLasting(less, old, -1);
          }
        });
    List<ExtentUsage> rows = new ArrayList<>(running.size());
    for (ExtentUsage usage : running) {
      if (usage.stream() == Stream.VALUE) {
        Lasting live = of(usage.extent());
        Lasting unnamed = less.getOrDefault(usage.extent(), NO_LASTING);
        rows.add(usage.withLive(live.bytes - unnamed.bytes, live.records - unnamed.records));
      } else {
        rows.add(usage);
      }
    }
    lasting.keySet().retainAll(running.stream().map(ExtentUsage::extent).collect(toSet()));
    return rows;
  }

  /** The values that the newest image of a page refers to, as far as they are known. */
  synchronized LargeValueLocations ofPage(int page) {
    Known known = byPage.get(page);
    return known == null ? LargeValueLocations.NONE : known.references;
  }

  /** Number of pages whose references are kept. */
  synchronized int pages() {
    return byPage.size();
  }
}
