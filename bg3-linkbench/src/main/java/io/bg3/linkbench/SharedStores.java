package io.bg3.linkbench;

import io.bg3.linkbench.model.LinkDatabase;
import java.util.HashMap;
import java.util.Map;

/**
 * The stores that are open in this process: LinkBench makes an instance of the adapter for every
 * thread, and all of them share one store for each directory. A thread that comes first opens it,
 * and a thread that leaves last closes it.
 *
 * <p>Threads: any; the class guards its map, also while a store is opened or closed.
 */
final class SharedStores {
  private static final Map<String, SharedStores> OPEN = new HashMap<>();

  private final LinkDatabase database;
  private int users;

  private SharedStores(LinkDatabase database) {
    this.database = database;
  }

  /** The store of a {@code dbid}, for one more user, which releases it. */
  static LinkDatabase acquire(StoreSettings settings, String dbid) {
    synchronized (OPEN) {
      String key = settings.key(dbid);
      SharedStores shared = OPEN.get(key);
      if (shared == null) {
        shared = new SharedStores(settings.open(dbid));
        OPEN.put(key, shared);
      }
      shared.users++;
      return shared.database;
    }
  }

  /** Takes a user away from a store. */
  static void release(StoreSettings settings, String dbid) {
    synchronized (OPEN) {
      String key = settings.key(dbid);
      SharedStores shared = OPEN.get(key);
      if (--shared.users == 0) {
        OPEN.remove(key);
        shared.database.close();
      }
    }
  }
}
