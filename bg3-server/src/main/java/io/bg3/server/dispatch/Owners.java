package io.bg3.server.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The owners that have connections, and those that are remembered without one.
 *
 * <ul>
 *   <li>O1: connections with one name are of one owner for as long as one of them is open or has a
 *       request.
 *   <li>O2: an owner without connections that has used more time than others is remembered until
 *       they have caught up, so that making a connection anew gains nothing. At most {@code
 *       MOST_OWNERS} are.
 * </ul>
 *
 * <p>Not thread-safe: the scheduler's lock guards it.
 */
final class Owners {
  /** Owners that are remembered for what they have used. */
  private static final int MOST_OWNERS = 65_536;

  /** Owners that are looked at under the lock. */
  private static final int OWNERS_AT_ONCE = 512;

  private final Map<String, Owner> owners = new HashMap<>();
  private final Deque<Owner> leaving = new ArrayDeque<>(); // have no connection
  private final FairQueue queue;

  /** No owners yet. The queue knows how much time each has used. */
  Owners(FairQueue queue) {
    this.queue = queue;
  }

  /** A new connection of the owner with this name. */
  Client connect(String name) {
    Owner owner = owners.computeIfAbsent(name, Owner::new);
    owner.clients++;
    return new Client(owner);
  }

  /** Notes that a connection is closed, and forgets its owner if it may. */
  void disconnected(Client client) {
    client.owner.clients--;
    forget(client.owner);
  }

  /** Forgets an owner without connections, at once or when others have caught up (O2). */
  void forget(Owner owner) {
    if (owner.clients > 0 || !owner.isWithoutRequests()) {
      return;
    }
    if (!queue.isAhead(owner) || owners.size() > MOST_OWNERS) {
      owners.remove(owner.name, owner);
    } else if (!owner.isLeaving) {
      owner.isLeaving = true;
      leaving.add(owner);
    }
  }

  /** Looks at some of the owners that were remembered for what they have used. */
  void forgetSome() {
    for (int i = Math.min(leaving.size(), OWNERS_AT_ONCE); i > 0; i--) {
      Owner owner = leaving.remove();
      owner.isLeaving = false;
      forget(owner);
    }
  }

  /** Owners that are known. */
  int count() {
    return owners.size();
  }
}
