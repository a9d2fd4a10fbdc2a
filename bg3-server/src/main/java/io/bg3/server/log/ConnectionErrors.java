package io.bg3.server.log;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import javax.net.ssl.SSLException;

/**
 * The last handler of each pipeline: closes a connection on an exception that no other handler has
 * handled, and logs one line. Without it, Netty would log the stack trace, with bytes that the
 * client sent.
 *
 * <p>Threads: any; all connections share one instance, which has no state of its own.
 */
@Sharable
@SuppressWarnings("FutureReturnValueIgnored") // no caller waits until the connection is closed
public final class ConnectionErrors extends ChannelInboundHandlerAdapter {
  /** The name of the handler in a pipeline. */
  public static final String NAME = "bg3-errors";

  private final ClientLog log;

  /** Creates a handler that writes to this log. */
  public ConnectionErrors(ClientLog log) {
    this.log = log;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable caught) {
    Throwable cause = caught;
    while (cause instanceof DecoderException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    report(context, cause);
    context.close();
  }

  private void report(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof NotSslRecordException) { // its message quotes the client's bytes
      log.warn("connection is not TLS", context.channel(), "the port takes TLS only");
    } else if (cause instanceof SSLException) {
      log.warn("TLS failed", context.channel(), "problem=" + cause.getMessage());
    } else if (cause instanceof TooLongFrameException
        || cause instanceof CorruptedWebSocketFrameException
        || cause instanceof WebSocketHandshakeException) {
      log.warn("connection broke the protocol", context.channel(), "problem=" + cause.getMessage());
    } else if (cause instanceof DecoderException) {
      log.warn("message cannot be read", context.channel(), "problem=" + cause.getMessage());
    } else if (!(cause instanceof IOException)
        && !(cause instanceof PrematureChannelClosureException)) { // a client may disconnect
      log.warn("connection failed", context.channel(), "cause=" + Causes.of(cause));
    }
  }
}
