package io.bg3.server.http;

import io.bg3.server.connection.AutoRead;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Has a connection ask one thing at a time, and gives it half a minute to ask (H4), so that neither
 * many questions nor half a question holds anything. A few requests that come while an answer is
 * under way wait here; a connection that sends more is closed.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an answer to be sent
final class HttpPipelining extends ChannelDuplexHandler {
  private static final long PATIENCE_SECONDS = 30;
  private static final int WAITING = 8;

  private final Deque<Object> waiting = new ArrayDeque<>();
  private ScheduledFuture<?> deadline;
  private boolean busy;

  @Override
  public void channelActive(ChannelHandlerContext context) {
    expect(context);
    context.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    settle();
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    settle();
    if (!busy) {
      busy = true;
      context.fireChannelRead(message);
    } else if (waiting.size() < WAITING) {
      waiting.add(message);
      AutoRead.stop(context.channel(), AutoRead.Reason.TURN); // what was read already still comes
    } else {
      ReferenceCountUtil.release(message);
      context.close();
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    ChannelPromise told = promise.unvoid();
    if (message instanceof LastHttpContent) {
      told.addListener(written -> next(context));
    }
    context.write(message, told);
  }

  private void next(ChannelHandlerContext context) {
    Object message = waiting.poll();
    busy = message != null;
    if (waiting.isEmpty()) {
      AutoRead.resume(context.channel(), AutoRead.Reason.TURN);
    }
    if (busy) {
      context.fireChannelRead(message);
    } else {
      expect(context);
    }
  }

  private void expect(ChannelHandlerContext context) {
    if (context.channel().isActive()) {
      Runnable cutOff = context::close;
      deadline = context.executor().schedule(cutOff, PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void settle() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }
}
