package io.bg3.server.guard;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open connections of an endpoint, by the addresses that they come from, and which of them
 * gives way when a new connection finds no room.
 *
 * <ul>
 *   <li>T1: there are never more connections than the limit, and never more of one address than its
 *       share.
 *   <li>T2: a connection that has asked for nothing yet, or was refused, is <em>idle</em>. Where an
 *       address has its share, its oldest idle connection gives way to its new one.
 *   <li>T3: where the limit is reached, the oldest idle connection of the address with the most
 *       idle ones gives way.
 *   <li>T4: where no connection is idle, the new one is refused.
 * </ul>
 *
 * <p>Threads: any.
 *
 * @param <C> the connections
 */
final class ConnectionTable<C> {
  /**
   * What becomes of a new connection.
   *
   * @param admitted whether it is in the table now
   * @param closed the connection that gave way to it, no longer in the table
   */
  record Admission<C>(boolean admitted, Optional<C> closed) {}

  private static final class Group<C> {
    int connections;
    final Set<C> idle = new LinkedHashSet<>(); // the oldest first
  }

  private final int limit;
  private final int share;
  private final Map<C, String> addresses = new HashMap<>();
  private final Map<String, Group<C>> groups = new HashMap<>();

  ConnectionTable(int limit, int share) {
    this.limit = limit;
    this.share = share;
  }

  /** Takes a new connection, idle, if there is room or another gives way. */
  synchronized Admission<C> add(C connection, String address) {
    Optional<C> closed = Optional.empty();
    Group<C> own = groups.get(address);
    if (own != null && own.connections >= share) {
      closed = oldestIdle(own);
      if (closed.isEmpty()) {
        return new Admission<>(false, closed);
      }
    } else if (addresses.size() >= limit) {
      closed = oldestIdle();
      if (closed.isEmpty()) {
        return new Admission<>(false, closed);
      }
    }
    closed.ifPresent(this::remove);
    addresses.put(connection, address);
    Group<C> group = groups.computeIfAbsent(address, absent -> new Group<>());
    group.connections++;
    group.idle.add(connection);
    return new Admission<>(true, closed);
  }

  /** Notes that a connection has asked for something, and does not give way any more. */
  synchronized void setBusy(C connection) {
    String address = addresses.get(connection);
    if (address != null) {
      groups.get(address).idle.remove(connection);
    }
  }

  /** Notes that a connection was refused what it asked for, and gives way again. */
  synchronized void setIdle(C connection) {
    String address = addresses.get(connection);
    if (address != null) {
      groups.get(address).idle.add(connection);
    }
  }

  /** Forgets a connection that was closed; one that gave way is forgotten already. */
  synchronized void remove(C connection) {
    String address = addresses.remove(connection);
    if (address == null) {
      return;
    }
    Group<C> group = groups.get(address);
    group.connections--;
    group.idle.remove(connection);
    if (group.connections == 0) {
      groups.remove(address);
    }
  }

  synchronized int count() {
    return addresses.size();
  }

  private Optional<C> oldestIdle() {
    Group<C> most = null;
    for (Group<C> group : groups.values()) {
      if (most == null || group.idle.size() > most.idle.size()) {
        most = group;
      }
    }
    return most == null ? Optional.empty() : oldestIdle(most);
  }

  private static <C> Optional<C> oldestIdle(Group<C> group) {
    return group.idle.stream().findFirst();
  }
}
