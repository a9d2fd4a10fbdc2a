package io.bg3.server.connection;

import io.bg3.server.answer.Answers;
import io.bg3.server.log.ClientAddress;
import io.bg3.server.log.ClientLog;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Bounds the bytes that all connections have sent and that are no request yet: parts of messages
 * that are not whole, and messages that wait for a login.
 *
 * <ul>
 *   <li>R1: what a connection holds is the larger of the bytes as they came and the bytes of its
 *       frames, which compression may make many more, with the objects that they are kept in. The
 *       first {@value #FREE} of each connection are free, so that ordinary requests are not counted
 *       at all.
 *   <li>R2: above the limit a connection is closed: of the address that holds the most, the one
 *       that has held something for the longest time.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class ReceiveBuffers {
  /** Bytes of each connection that are not counted. */
  static final int FREE = 4_096;

  private static final AttributeKey<Share> SHARE = AttributeKey.valueOf("bg3.receive");

  private static final class Holders {
    long bytes;
    final Set<Share> shares = new LinkedHashSet<>(); // that which began to hold first stands first
  }

  /** A connection that has to be closed, and the bytes that it held. */
  private record Excess(Channel channel, long bytes) {}

  private final long limit;
  private final ClientLog log;
  private final Map<String, Holders> addresses = new HashMap<>();
  private long total;

  /**
   * Buffers that hold nothing.
   *
   * @param limit bytes of all connections together
   */
  public ReceiveBuffers(long limit, ClientLog log) {
    this.limit = limit;
    this.log = log;
  }

  /** The bytes that a connection holds. Its methods are called by the thread of the connection. */
  public static final class Share {
    private final ReceiveBuffers buffers;
    private final Channel channel;
    private final String address;
    private long raw; // of the frame that is being received
    private long framed; // of frames that were received and not handed on
    private volatile long counted; // written under the monitor of the buffers
    private boolean closed; // guarded by the monitor of the buffers

    private Share(ReceiveBuffers buffers, Channel channel) {
      this.buffers = buffers;
      this.channel = channel;
      this.address = ClientAddress.of(channel.remoteAddress());
    }

    /** Bytes have come in; whether there is room for them. If not, the connection is closed. */
    boolean received(long bytes) {
      raw += bytes;
      return count();
    }

    /** All bytes that have come in so far are whole requests. */
    void decoded() {
      raw = 0;
    }

    /** A frame of so many bytes has become whole; what came behind it is part of the next one. */
    void decoded(long bytes) {
      raw = Math.max(0, raw - bytes);
    }

    /** Closes the connection, which has sent more than it may. */
    void close(String problem) {
      buffers.log.warn("connection closed", channel, "problem=" + problem);
      buffers.release(this);
      Answers.close(channel);
    }

    /** A frame waits to be part of a message, or a message to be handed on. */
    boolean waits(long bytes) {
      framed += bytes;
      return count();
    }

    /** A message that waited is handed on, or dropped. */
    public void handedOn(long bytes) {
      framed -= bytes;
      count();
    }

    private boolean count() {
      long bytes = Math.max(0, Math.max(raw, framed) - FREE);
      return (bytes == 0 && counted == 0) || buffers.resize(this, bytes);
    }
  }

  /** The share of a connection, made when it is first asked for. */
  Share share(Channel channel) {
    Share share = channel.attr(SHARE).get();
    if (share == null) {
      Share made = new Share(this, channel);
      channel.attr(SHARE).set(made);
      channel.closeFuture().addListener(closed -> release(made));
      share = made;
    }
    return share;
  }

  /** The share of a connection; empty if nothing counts its bytes. */
  public static Optional<Share> of(Channel channel) {
    return Optional.ofNullable(channel.attr(SHARE).get());
  }

  /** Bytes that are counted now. */
  synchronized long total() {
    return total;
  }

  private boolean resize(Share share, long bytes) {
    List<Excess> excess = new ArrayList<>();
    boolean isRoom;
    synchronized (this) {
      if (share.closed) {
        return false;
      }
      count(share, bytes);
      while (total > limit) {
        Share largest = oldestOfLargest();
        excess.add(new Excess(largest.channel, largest.counted));
        release(largest);
      }
      isRoom = !share.closed;
    }
    excess.forEach(this::close); // not under the monitor: writing a line may take long
    return isRoom;
  }

  private void close(Excess excess) {
    log.warn(
        "connection closed",
        excess.channel,
        "problem=too many bytes of messages that are not whole or wait for a login: bytes="
            + excess.bytes);
    Answers.close(excess.channel);
  }

  private void count(Share share, long bytes) {
    Holders holders = addresses.computeIfAbsent(share.address, absent -> new Holders());
    holders.bytes += bytes - share.counted;
    total += bytes - share.counted;
    share.counted = bytes;
    if (bytes > 0) {
      holders.shares.add(share);
    } else {
      holders.shares.remove(share);
    }
    if (holders.shares.isEmpty()) {
      addresses.remove(share.address);
    }
  }

  private synchronized void release(Share share) {
    if (!share.closed) {
      count(share, 0);
      share.closed = true;
    }
  }

  private Share oldestOfLargest() {
    Holders largest = null;
    for (Holders holders : addresses.values()) {
      if (largest == null || holders.bytes > largest.bytes) {
        largest = holders;
      }
    }
    return largest.shares.iterator().next();
  }
}
