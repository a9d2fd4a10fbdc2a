package io.bg3.server.access;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Attempts to log in that wait for their password to be compared, and whose turn it is.
 *
 * <ul>
 *   <li>Q1: addresses take turns, and within an address names do. So a client that guesses delays
 *       clients of other addresses by one comparison, and other names of its own address by one for
 *       each name it guesses at.
 *   <li>Q2: within an address, names that have logged in from there come twice as often as names
 *       that nobody has tried, and those twice as often as names that have failed lately; but none
 *       is left out.
 *   <li>Q3: attempts of one address and name are taken in the order in which they came.
 * </ul>
 *
 * <p>Threads: one at a time, the caller sees to it.
 *
 * @param <T> the attempts
 */
final class LoginQueue<T> {
  /** What is known of a name at an address. */
  enum Rank {
    /** It has logged in from there. */
    KNOWN,

    /** Nothing. */
    NEW,

    /** A login with it has failed from there, lately. */
    FAILED
  }

  /** Whose turn it is within an address; a rank with nothing waiting passes its turn on. */
  private static final Rank[] TURNS = {
    Rank.KNOWN, Rank.NEW, Rank.KNOWN, Rank.KNOWN, Rank.NEW, Rank.KNOWN, Rank.FAILED
  };

  /** The attempts of one address. */
  private static final class Waiting<T> {
    final String address;
    final Map<Rank, LinkedHashMap<String, Deque<T>>> ranks = new HashMap<>();
    int turn;

    Waiting(String address) {
      this.address = address;
      for (Rank rank : Rank.values()) {
        ranks.put(rank, new LinkedHashMap<>());
      }
    }

    boolean isEmpty() {
      return ranks.values().stream().allMatch(Map::isEmpty);
    }

    void add(String name, Rank rank, T attempt) {
      ranks.get(rank).computeIfAbsent(name, absent -> new ArrayDeque<>()).add(attempt);
    }

    T poll() {
      while (true) {
        LinkedHashMap<String, Deque<T>> names = ranks.get(TURNS[turn]);
        turn = (turn + 1) % TURNS.length;
        Iterator<Map.Entry<String, Deque<T>>> first = names.entrySet().iterator();
        if (first.hasNext()) {
          Map.Entry<String, Deque<T>> name = first.next();
          first.remove();
          T attempt = name.getValue().poll();
          if (!name.getValue().isEmpty()) {
            names.put(name.getKey(), name.getValue()); // behind the other names
          }
          return attempt;
        }
      }
    }
  }

  private final Map<String, Waiting<T>> addresses = new HashMap<>();
  private final Deque<Waiting<T>> turns = new ArrayDeque<>(); // each address of the map once

  void add(LoginKey key, Rank rank, T attempt) {
    Waiting<T> waiting = addresses.get(key.address());
    if (waiting == null) {
      waiting = new Waiting<>(key.address());
      addresses.put(key.address(), waiting);
      turns.add(waiting);
    }
    waiting.add(key.name(), rank, attempt);
  }

  /** Takes the attempt whose turn it is out; null if none waits. */
  T poll() {
    Waiting<T> next = turns.poll();
    if (next == null) {
      return null;
    }
    T attempt = next.poll();
    if (next.isEmpty()) {
      addresses.remove(next.address);
    } else {
      turns.add(next);
    }
    return attempt;
  }
}
