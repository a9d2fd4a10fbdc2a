package io.bg3.server.connection;

import io.bg3.server.answer.Answers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Bounds what a client that does not read makes the server keep for it. While more is written than
 * the connection's high-water mark, the connection is not read from, so the client causes no
 * further answers; and if it reads less than {@value #LEAST} bytes in a time, the connection is
 * closed. A slow client that reads a large answer stays. {@link SendBuffers} bounds the bytes of
 * all connections.
 *
 * <p>The handler stands next to the socket, so it sees the bytes as they are sent.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the promise tells what becomes of a write
public final class UnreadAnswers extends ChannelDuplexHandler {
  private static final int LEAST = 64 << 10;

  private final long millis;
  private final SendBuffers buffers;
  private HeldBytes.Holding holding;
  private ScheduledFuture<?> look;
  private long left; // bytes that were not sent when the time began, and those written since

  /**
   * For one connection.
   *
   * @param millis how long a client may read less than that
   * @param buffers count the bytes of all connections
   */
  public UnreadAnswers(long millis, SendBuffers buffers) {
    this.millis = millis;
    this.buffers = buffers;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    holding = buffers.open(context.channel());
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (context.channel().isWritable()) {
      context.write(message, promise);
    } else { // by a thread that has found the connection writable before
      left += size(message);
      context.write(message, promise);
      buffers.count(holding);
    }
  }

  private static int size(Object message) {
    if (message instanceof ByteBuf bytes) {
      return bytes.readableBytes();
    }
    return message instanceof ByteBufHolder holder ? holder.content().readableBytes() : 0;
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    context.flush();
    if (!context.channel().isWritable()) {
      buffers.count(holding);
    }
  }

  /**
   * Counts the bytes that a connection keeps of an answer until it is whole. Called by the event
   * loop of the connection.
   */
  public static void collect(Channel channel, long bytes) {
    UnreadAnswers own = channel.pipeline().get(UnreadAnswers.class);
    if (own != null) { // the connection is open
      own.holding.collect(bytes);
      own.buffers.count(own.holding);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    buffers.count(holding);
    if (!context.channel().isWritable()) {
      AutoRead.stop(context.channel(), AutoRead.Reason.UNREAD_ANSWERS);
      if (look == null) {
        lookLater(context);
      }
    } else {
      cancel();
      AutoRead.resume(context.channel(), AutoRead.Reason.UNREAD_ANSWERS);
    }
    context.fireChannelWritabilityChanged();
  }

  private void lookLater(ChannelHandlerContext context) {
    left = unread(context);
    look = context.executor().schedule(() -> look(context), millis, TimeUnit.MILLISECONDS);
  }

  private void look(ChannelHandlerContext context) {
    if (left - unread(context) < LEAST) {
      Answers.close(context.channel());
    } else {
      lookLater(context);
    }
  }

  /** Bytes that are not sent. Netty's own count contains all of a buffer until its last byte. */
  private static long unread(ChannelHandlerContext context) {
    ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    cancel();
    context.fireChannelInactive();
  }

  private void cancel() {
    if (look != null) {
      look.cancel(false);
      look = null;
    }
  }
}
