package io.bg3.linkbench.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The links of one node and type. Few are kept as they come; from {@link #MANY} on they have an
 * index by end and one by time.
 *
 * <p>Threads: any; each call excludes the others.
 */
final class MemoryList {
  private static final int MANY = 32;

  private final List<LinkRow> few = new ArrayList<>(2);
  private Map<Long, LinkRow> byEnd;
  private TreeSet<LinkRow> visible;
  private long count;

  /** Adds or replaces a link and returns the one that was there. */
  synchronized LinkRow put(LinkRow link) {
    LinkRow old = remove(link.id2());
    count += link.isVisible() ? 1 : 0;
    if (byEnd != null) {
      byEnd.put(link.id2(), link);
      if (link.isVisible()) {
        visible.add(link);
      }
    } else {
      few.add(place(link), link);
      if (few.size() >= MANY) {
        index();
      }
    }
    return old;
  }

  synchronized LinkRow get(long id2) {
    if (byEnd != null) {
      return byEnd.get(id2);
    }
    for (LinkRow link : few) {
      if (link.id2() == id2) {
        return link;
      }
    }
    return null;
  }

  synchronized boolean delete(long id2, boolean expunge) {
    LinkRow old = get(id2);
    if (old != null && expunge) {
      remove(id2);
    } else if (old != null && old.isVisible()) {
      put(old.hidden());
    }
    return old != null;
  }

  synchronized LinkRow[] list(long minTime, long maxTime, int offset, int limit) {
    List<LinkRow> found = new ArrayList<>(Math.min(limit, 16));
    Iterable<LinkRow> newestFirst =
        visible == null
            ? few
            : visible.tailSet(
                new LinkRow(0, 0, Long.MIN_VALUE, LinkRow.VISIBLE, 0, maxTime, null), true);
    int skip = offset;
    for (LinkRow link : newestFirst) {
      if (link.time() < minTime || found.size() >= limit) {
        break;
      }
      if (link.isVisible() && link.time() <= maxTime && --skip < 0) {
        found.add(link);
      }
    }
    return found.toArray(LinkRow[]::new);
  }

  synchronized long count() {
    return count;
  }

  /** Takes a link out and returns it, null if it is not there. */
  private LinkRow remove(long id2) {
    LinkRow old = get(id2);
    if (old == null) {
      return null;
    }
    count -= old.isVisible() ? 1 : 0;
    if (byEnd != null) {
      byEnd.remove(id2);
      visible.remove(old);
    } else {
      few.remove(old);
    }
    return old;
  }

  private int place(LinkRow link) {
    int at = few.size();
    while (at > 0 && LinkRow.NEWEST_FIRST.compare(few.get(at - 1), link) > 0) {
      at--;
    }
    return at;
  }

  private void index() {
    byEnd = new HashMap<>();
    visible = new TreeSet<>(LinkRow.NEWEST_FIRST);
    for (LinkRow link : few) {
      byEnd.put(link.id2(), link);
      if (link.isVisible()) {
        visible.add(link);
      }
    }
    few.clear();
  }
}
