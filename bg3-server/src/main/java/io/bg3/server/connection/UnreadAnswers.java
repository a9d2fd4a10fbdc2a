package io.bg3.server.connection;

import io.bg3.server.answer.Answers;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Bounds what a client that does not read makes the server keep for it. While more is written than
 * the connection's high-water mark, the connection is not read from, so the client causes no
 * further answers; and if it reads less than {@value #LEAST} bytes in a time, the connection is
 * closed. A slow client that reads a large answer stays.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
public final class UnreadAnswers extends ChannelInboundHandlerAdapter {
  private static final int LEAST = 64 << 10;

  private final long millis;
  private ScheduledFuture<?> look;
  private long left; // bytes to be read until the connection is writable again

  /**
   * For one connection.
   *
   * @param millis how long a client may read less than that
   */
  public UnreadAnswers(long millis) {
    this.millis = millis;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
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
    left = context.channel().bytesBeforeWritable();
    look = context.executor().schedule(() -> look(context), millis, TimeUnit.MILLISECONDS);
  }

  private void look(ChannelHandlerContext context) {
    if (left - context.channel().bytesBeforeWritable() < LEAST) {
      Answers.close(context.channel());
    } else {
      lookLater(context);
    }
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
