package io.bg3.server.connection;

import io.bg3.server.answer.Answers;
import io.bg3.server.log.ClientLog;
import io.netty.channel.Channel;

/**
 * Bounds the bytes of answers that all clients together have not read. Only connections count that
 * hold more than Netty's high-water mark (64 KiB), each with what lies above the low-water mark,
 * and those that collect an answer until it is whole, each with what it has of that.
 *
 * <p>Above the limit a connection is closed: of the address that holds the most, the one that has
 * not been writable for the longest time. So clients that do not read lose their connections before
 * the memory for the answers to others runs out.
 *
 * <p>Threads: any.
 */
public final class SendBuffers {
  /** A smaller change is not counted, because counting takes a lock. */
  private static final int STEP = 16 << 10;

  private final HeldBytes held;
  private final ClientLog log;

  /**
   * Buffers that hold nothing.
   *
   * @param limit bytes of all connections together
   */
  public SendBuffers(long limit, ClientLog log) {
    this.held = new HeldBytes(limit);
    this.log = log;
  }

  /** Begins to count the bytes of a connection. */
  HeldBytes.Holding open(Channel channel) {
    return held.open(channel);
  }

  /** Counts the bytes that a connection holds now. Called by the thread of the connection. */
  void count(HeldBytes.Holding holding) {
    long bytes = unread(holding);
    long change = bytes - holding.bytes();
    boolean isOver = bytes == 0 && change != 0;
    if (isOver || Math.abs(change) >= STEP) {
      held.resize(holding, bytes, SendBuffers::unread).forEach(this::close);
    }
  }

  /** Bytes that are counted now. */
  long total() {
    return held.total();
  }

  private static long unread(HeldBytes.Holding holding) {
    long bytes = holding.channel().bytesBeforeWritable();
    return bytes == Long.MAX_VALUE // that of a closed connection
        ? 0
        : bytes + holding.collected();
  }

  private void close(HeldBytes.Excess excess) {
    log.warn(
        "connection closed",
        excess.channel(),
        "problem=clients leave too many bytes of answers unread: bytes=" + excess.bytes());
    Answers.close(excess.channel());
  }
}
