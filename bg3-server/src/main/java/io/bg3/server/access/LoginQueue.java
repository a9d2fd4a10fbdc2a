package io.bg3.server.access;

import io.bg3.server.log.ClientAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Attempts to log in that wait for their password to be compared, and whose turn it is.
 *
 * <ul>
 *   <li>Q1: names that have logged in from their address come twice as often as names of which
 *       nothing is known, and those twice as often as names and addresses that have failed lately;
 *       but none is left out.
 *   <li>Q2: within such a rank networks take turns ({@link ClientAddress#network}), within a
 *       network addresses, within an address names, and attempts of one name come in their order.
 *       So a client that guesses delays clients elsewhere by one comparison.
 *   <li>Q3: an address whose guess was compared waits for a pause before another of its attempts is
 *       taken, except for names that have logged in from there.
 *   <li>Q4: when the queue is full, an attempt is given up for the new one, or the new one itself:
 *       of the network with the most, there of the address, and there of the name with the most,
 *       the newest. Between equals the attempt with the lowest rank goes.
 * </ul>
 *
 * <p>Threads: one at a time, the caller sees to it. The queue is short, so that each method looks
 * through all of it.
 *
 * @param <T> the attempts
 */
final class LoginQueue<T> {
  /** The rank of a name at an address. The first is the highest. */
  enum Rank {
    /** It has logged in from there. */
    KNOWN,

    /** Nothing. */
    NEW,

    /** A login with it, or many with other names, failed from there lately. */
    FAILED
  }

  /** The ranks in turn; a rank with nothing to take passes its turn on. */
  private static final Rank[] TURNS = {
    Rank.KNOWN, Rank.NEW, Rank.KNOWN, Rank.KNOWN, Rank.NEW, Rank.KNOWN, Rank.FAILED
  };

  /** The attempts of one network, address or name. */
  private static final class Group {
    int waiting;
    long taken; // when it last had its turn, or began to wait
  }

  private record Waiting<T>(
      LoginKey key, Rank rank, long order, Group network, Group address, Group name, T attempt) {}

  private static final Comparator<Waiting<?>> LONGEST_SINCE_ITS_TURN =
      Comparator.<Waiting<?>>comparingLong(one -> one.network.taken)
          .thenComparingLong(one -> one.address.taken)
          .thenComparingLong(one -> one.name.taken)
          .thenComparingLong(Waiting::order);

  private static final Comparator<Waiting<?>> FIRST_TO_GO =
      Comparator.<Waiting<?>>comparingInt(one -> one.network.waiting)
          .thenComparingInt(one -> one.address.waiting)
          .thenComparingInt(one -> one.name.waiting)
          .thenComparing(Waiting::rank)
          .thenComparingLong(Waiting::order);

  private final int capacity;
  private final List<Waiting<T>> all = new ArrayList<>();
  private final Map<Object, Group> groups = new HashMap<>(); // of networks, addresses and keys
  private final Map<String, Long> pauses = new HashMap<>(); // ends, by address
  private long clock;
  private int turn;

  /** A queue that is empty. */
  LoginQueue(int capacity) {
    this.capacity = capacity;
  }

  /** Whether the next attempt displaces another, or finds no room itself. */
  boolean isFull() {
    return all.size() >= capacity;
  }

  /** Whether an attempt of this rank waits. */
  boolean waits(Rank rank) {
    return all.stream().anyMatch(one -> one.rank == rank);
  }

  /**
   * Has an attempt wait.
   *
   * @return the attempt that is given up, which may be the new one
   */
  Optional<T> add(LoginKey key, Rank rank, T attempt) {
    boolean full = isFull();
    String network = "network " + key.network();
    String address = "address " + key.address();
    Waiting<T> added =
        new Waiting<>(key, rank, ++clock, group(network), group(address), group(key), attempt);
    all.add(added);
    if (!full) {
      return Optional.empty();
    }
    Waiting<T> last = all.stream().max(FIRST_TO_GO).orElseThrow();
    remove(last);
    return Optional.of(last.attempt);
  }

  private Group group(Object id) {
    Group group = groups.computeIfAbsent(id, absent -> new Group());
    if (group.waiting++ == 0) {
      group.taken = ++clock;
    }
    return group;
  }

  /**
   * Takes the attempt whose turn it is out.
   *
   * @param now in nanoseconds
   * @return null if none waits, or all that wait have a pause
   */
  T poll(long now) {
    pauses.values().removeIf(end -> now - end >= 0);
    for (int i = 0; i < TURNS.length; i++) {
      Rank rank = TURNS[turn];
      turn = (turn + 1) % TURNS.length;
      Optional<Waiting<T>> next =
          all.stream()
              .filter(one -> one.rank == rank && !hasPause(one))
              .min(LONGEST_SINCE_ITS_TURN);
      if (next.isPresent()) {
        clock++;
        next.get().network.taken = clock;
        next.get().address.taken = clock;
        next.get().name.taken = clock;
        remove(next.get());
        return next.get().attempt;
      }
    }
    return null;
  }

  private boolean hasPause(Waiting<T> one) {
    return one.rank != Rank.KNOWN && pauses.containsKey(one.key.address());
  }

  private void remove(Waiting<T> one) {
    all.remove(one);
    leave("network " + one.key.network(), one.network);
    leave("address " + one.key.address(), one.address);
    leave(one.key, one.name);
  }

  private void leave(Object id, Group group) {
    if (--group.waiting == 0) {
      groups.remove(id);
    }
  }

  /** Takes all out. */
  List<T> clear() {
    List<T> attempts = all.stream().map(Waiting::attempt).toList();
    all.clear();
    groups.clear();
    return attempts;
  }

  /** Has an address wait (Q3). */
  void pause(String address, long end) {
    pauses.put(address, end);
  }

  /**
   * When {@link #poll} has to be called again after it has given nothing, in nanoseconds from now.
   *
   * @return {@link Long#MAX_VALUE} if nothing waits
   */
  long pauseNanos(long now) {
    return all.isEmpty()
        ? Long.MAX_VALUE
        : pauses.values().stream().mapToLong(end -> Math.max(0, end - now)).min().orElse(0);
  }
}
