package io.bg3.server.connection;

import io.bg3.server.answer.Answers;
import io.bg3.server.log.ClientLog;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.List;
import java.util.Optional;

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

  private final ClientLog log;
  private final HeldBytes held;

  /**
   * Buffers that hold nothing.
   *
   * @param limit bytes of all connections together
   */
  public ReceiveBuffers(long limit, ClientLog log) {
    this.log = log;
    this.held = new HeldBytes(limit);
  }

  /** The bytes that a connection holds. Its methods are called by the thread of the connection. */
  public static final class Share {
    private final ReceiveBuffers buffers;
    private final HeldBytes.Holding holding;
    private long raw; // of the frame that is being received
    private long framed; // of frames that were received and not handed on

    private Share(ReceiveBuffers buffers, Channel channel) {
      this.buffers = buffers;
      this.holding = buffers.held.open(channel);
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
      buffers.log.warn("connection closed", holding.channel(), "problem=" + problem);
      buffers.held.release(holding);
      Answers.close(holding.channel());
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
      return (bytes == 0 && holding.bytes() == 0) || buffers.resize(holding, bytes);
    }
  }

  /** The share of a connection, made when it is first asked for. */
  Share share(Channel channel) {
    Share share = channel.attr(SHARE).get();
    if (share == null) {
      share = new Share(this, channel);
      channel.attr(SHARE).set(share);
    }
    return share;
  }

  /** The share of a connection; empty if nothing counts its bytes. */
  public static Optional<Share> of(Channel channel) {
    return Optional.ofNullable(channel.attr(SHARE).get());
  }

  /** Bytes that are counted now. */
  long total() {
    return held.total();
  }

  private boolean resize(HeldBytes.Holding holding, long bytes) {
    List<HeldBytes.Excess> excess = held.resize(holding, bytes, HeldBytes.Holding::bytes);
    excess.forEach(this::close); // not under the monitor: writing a line may take long
    return !held.isReleased(holding);
  }

  private void close(HeldBytes.Excess excess) {
    log.warn(
        "connection closed",
        excess.channel(),
        "problem=too many bytes of incomplete messages and of requests that wait for a login:"
            + " bytes="
            + excess.bytes());
    Answers.close(excess.channel());
  }
}
