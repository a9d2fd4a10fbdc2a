package io.bg3.linkbench.workload;

import io.bg3.linkbench.model.LinkRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Lists that were longer than what was asked for, each with the oldest link that was seen, so that
 * a later request can ask for what is older. Bounded; each list is here once.
 */
final class ListHistory {
  private static final int LIMIT = 2_048;

  private record Owner(long id1, long type) {
    static Owner of(LinkRow link) {
      return new Owner(link.id1(), link.type());
    }
  }

  private final List<LinkRow> oldest = new ArrayList<>();
  private final Map<Owner, Integer> places = new HashMap<>();

  boolean isEmpty() {
    return oldest.isEmpty();
  }

  /** One of them, still there. */
  LinkRow draw(Random random) {
    return oldest.get(random.nextInt(oldest.size()));
  }

  /** Remembers a list that is not here yet, instead of another if there is no room. */
  void add(LinkRow link, Random random) {
    if (places.containsKey(Owner.of(link))) {
      return;
    }
    if (oldest.size() == LIMIT) {
      set(random.nextInt(LIMIT), link);
    } else {
      places.put(Owner.of(link), oldest.size());
      oldest.add(link);
    }
  }

  /** Goes on in a list: from an older link, or not at all if that is null. */
  void advance(long id1, long type, LinkRow older) {
    Integer place = places.get(new Owner(id1, type));
    if (place == null) {
      return;
    }
    if (older != null) {
      oldest.set(place, older);
      return;
    }
    places.remove(new Owner(id1, type));
    LinkRow last = oldest.remove(oldest.size() - 1);
    if (place < oldest.size()) {
      oldest.set(place, last);
      places.put(Owner.of(last), place);
    }
  }

  private void set(int place, LinkRow link) {
    places.remove(Owner.of(oldest.get(place)));
    oldest.set(place, link);
    places.put(Owner.of(link), place);
  }
}
