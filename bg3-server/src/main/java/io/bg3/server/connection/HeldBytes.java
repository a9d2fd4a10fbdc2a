package io.bg3.server.connection;

import io.bg3.server.log.ClientAddress;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Bytes that connections make the server hold, counted by address against one limit. Above the
 * limit the connection has to be closed that has held something for the longest time, of the
 * address that holds the most.
 *
 * <p>Threads: any; the monitor guards all state.
 */
final class HeldBytes {
  /** A connection that has to be closed, and the bytes that it held. */
  record Excess(Channel channel, long bytes) {}

  private static final class Address {
    long bytes;
    final Set<Holding> holdings = new LinkedHashSet<>(); // the oldest first
  }

  private final long limit;
  private final Map<String, Address> addresses = new HashMap<>();
  private long total;

  /**
   * Counts from zero.
   *
   * @param limit bytes of all connections together
   */
  HeldBytes(long limit) {
    this.limit = limit;
  }

  /** The bytes of one connection. */
  static final class Holding {
    private final Channel channel;
    private final String address;
    private volatile long bytes; // written under the monitor
    private volatile long collected; // written by the thread of the connection
    private boolean isReleased; // guarded by the monitor

    private Holding(Channel channel) {
      this.channel = channel;
      this.address = ClientAddress.of(channel.remoteAddress());
    }

    Channel channel() {
      return channel;
    }

    /** Bytes that are counted now. */
    long bytes() {
      return bytes;
    }

    /** Notes how many bytes the connection keeps of an answer that is not whole. */
    void collect(long kept) {
      collected = kept;
    }

    /** Bytes that the connection keeps of an answer that is not whole. */
    long collected() {
      return collected;
    }
  }

  /** A holding without bytes; it is released when the connection closes. */
  Holding open(Channel channel) {
    Holding holding = new Holding(channel);
    channel.closeFuture().addListener(closed -> release(holding));
    return holding;
  }

  /** Bytes of all connections. */
  synchronized long total() {
    return total;
  }

  /**
   * Sets the bytes of a connection.
   *
   * @param now tells the bytes of any connection when a limit is exceeded, because those that were
   *     counted may be gone
   * @return the connections that the caller has to close; they are released
   */
  synchronized List<Excess> resize(Holding holding, long bytes, ToLongFunction<Holding> now) {
    if (holding.isReleased) {
      return List.of();
    }
    count(holding, bytes);
    if (total <= limit) {
      return List.of();
    }
    List<Holding> all = new ArrayList<>();
    addresses.values().forEach(address -> all.addAll(address.holdings));
    all.forEach(one -> count(one, now.applyAsLong(one)));
    List<Excess> excess = new ArrayList<>();
    while (total > limit) {
      Holding oldest = oldestOfLargest();
      excess.add(new Excess(oldest.channel, oldest.bytes));
      release(oldest);
    }
    return excess;
  }

  /** Whether a connection is counted no more, because it is closed or has to be. */
  synchronized boolean isReleased(Holding holding) {
    return holding.isReleased;
  }

  /** Counts a connection no more. Does nothing the second time. */
  synchronized void release(Holding holding) {
    if (!holding.isReleased) {
      count(holding, 0);
      holding.isReleased = true;
    }
  }

  private void count(Holding holding, long bytes) {
    Address address = addresses.computeIfAbsent(holding.address, absent -> new Address());
    address.bytes += bytes - holding.bytes;
    total += bytes - holding.bytes;
    holding.bytes = bytes;
    if (bytes > 0) {
      address.holdings.add(holding);
    } else {
      address.holdings.remove(holding);
    }
    if (address.holdings.isEmpty()) {
      addresses.remove(holding.address);
    }
  }

  private Holding oldestOfLargest() {
    Address largest = null;
    for (Address address : addresses.values()) {
      if (largest == null || address.bytes > largest.bytes) {
        largest = address;
      }
    }
    return largest.holdings.iterator().next();
  }
}
