package io.bg3.server.connection;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The open connections of an endpoint, by the addresses that they come from, and which of them
 * gives way when a new connection finds no room.
 *
 * <ul>
 *   <li>T1: there are never more connections than the limit, and never more of one address than its
 *       share.
 *   <li>T2: a connection is <em>idle</em> until it asks for something and again when it was
 *       refused, <em>trying</em> while its password is compared, and <em>busy</em> once it has
 *       logged in or, where nobody logs in, has asked for something.
 *   <li>T3: where an address has its share, one of its own gives way to its new one: the oldest
 *       idle connection, or if none is idle the oldest trying one. A client cannot keep a place by
 *       sending wrong passwords.
 *   <li>T4: where the limit is reached, the oldest idle connection of the address with the most
 *       idle ones gives way, or if none is idle the oldest trying one of the address with the most
 *       trying ones. Of several such addresses it is the one that has had so many for the longest
 *       time.
 *   <li>T5: where all are busy, the new one is refused.
 * </ul>
 *
 * <p>Threads: any.
 *
 * @param <C> the connections
 */
final class ConnectionTable<C> {
  /**
   * The outcome for a new connection.
   *
   * @param admitted whether it is in the table now
   * @param closed the connection that gave way to it, no longer in the table
   */
  record Admission<C>(boolean admitted, Optional<C> closed) {}

  /** The connections of one state, by address. */
  private static final class Candidates<C> {
    private final Map<String, Set<C>> addresses = new HashMap<>(); // the oldest connection first
    private final NavigableMap<Integer, Set<String>> counts = new TreeMap<>();

    boolean add(C connection, String address) {
      Set<C> own = addresses.computeIfAbsent(address, absent -> new LinkedHashSet<>());
      boolean added = own.add(connection);
      if (added) {
        recount(address, own.size() - 1, own.size());
      }
      return added;
    }

    boolean remove(C connection, String address) {
      Set<C> own = addresses.get(address);
      if (own == null || !own.remove(connection)) {
        return false;
      }
      recount(address, own.size() + 1, own.size());
      if (own.isEmpty()) {
        addresses.remove(address);
      }
      return true;
    }

    private void recount(String address, int before, int after) {
      if (before > 0) {
        Set<String> same = counts.get(before);
        same.remove(address);
        if (same.isEmpty()) {
          counts.remove(before);
        }
      }
      if (after > 0) {
        counts.computeIfAbsent(after, absent -> new LinkedHashSet<>()).add(address);
      }
    }

    Optional<C> oldest(String address) {
      return addresses.getOrDefault(address, Set.of()).stream().findFirst();
    }

    Optional<C> oldestOfMost() {
      return counts.isEmpty()
          ? Optional.empty()
          : oldest(counts.lastEntry().getValue().iterator().next());
    }
  }

  private final int limit;
  private final int share;
  private final Map<C, String> addresses = new HashMap<>();
  private final Map<String, Integer> connections = new HashMap<>(); // of an address
  private final Candidates<C> idle = new Candidates<>();
  private final Candidates<C> trying = new Candidates<>();

  ConnectionTable(int limit, int share) {
    this.limit = limit;
    this.share = share;
  }

  /** Takes a new connection, idle, if there is room or another gives way. */
  synchronized Admission<C> add(C connection, String address) {
    boolean hasShare = connections.getOrDefault(address, 0) >= share;
    Optional<C> closed = Optional.empty();
    if (hasShare || addresses.size() >= limit) {
      closed =
          hasShare
              ? idle.oldest(address).or(() -> trying.oldest(address))
              : idle.oldestOfMost().or(trying::oldestOfMost);
      if (closed.isEmpty()) {
        return new Admission<>(false, closed);
      }
    }
    closed.ifPresent(this::remove);
    addresses.put(connection, address);
    connections.merge(address, 1, Integer::sum);
    idle.add(connection, address);
    return new Admission<>(true, closed);
  }

  /** Notes that the password of an idle connection is being compared. */
  synchronized void setTrying(C connection) {
    String address = addresses.get(connection);
    if (address != null && idle.remove(connection, address)) {
      trying.add(connection, address);
    }
  }

  /** Notes that a connection has asked for something, and does not give way any more. */
  synchronized void setBusy(C connection) {
    String address = addresses.get(connection);
    if (address != null && !idle.remove(connection, address)) {
      trying.remove(connection, address);
    }
  }

  /** Notes that a connection was refused what it asked for, and gives way again. */
  synchronized void setIdle(C connection) {
    String address = addresses.get(connection);
    if (address != null) {
      trying.remove(connection, address);
      idle.add(connection, address);
    }
  }

  /** Forgets a connection that was closed; one that gave way is forgotten already. */
  synchronized void remove(C connection) {
    String address = addresses.remove(connection);
    if (address == null) {
      return;
    }
    idle.remove(connection, address);
    trying.remove(connection, address);
    connections.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
  }

  synchronized int count() {
    return addresses.size();
  }
}
