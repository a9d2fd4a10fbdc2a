package io.bg3.server.access;

import io.netty.channel.Channel;
import io.netty.handler.codec.compression.ZlibCodecFactory;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilter;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilterProvider;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtensionHandler;
import io.netty.handler.codec.http.websocketx.extensions.compression.DeflateFrameServerExtensionHandshaker;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;

/**
 * Negotiates the compression of a WebSocket as Netty does, and compresses nothing before the login:
 * the state of a compressor takes a quarter of a megabyte outside of the heap for each connection.
 * Messages that a client compresses are inflated at any time.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
final class LateCompression extends WebSocketServerExtensionHandler {
  private static final int LEVEL = 6;

  /**
   * The compression of a connection.
   *
   * @param most bytes that a message may have when it is inflated
   */
  LateCompression(Channel channel, int most) {
    super(
        new PerMessageDeflateServerExtensionHandshaker(
            LEVEL,
            ZlibCodecFactory.isSupportingWindowSizeAndMemLevel(),
            PerMessageDeflateServerExtensionHandshaker.MAX_WINDOW_SIZE,
            false,
            false,
            new AfterLogin(channel),
            most),
        new DeflateFrameServerExtensionHandshaker(LEVEL, new AfterLogin(channel), most));
  }

  private record AfterLogin(Channel channel) implements WebSocketExtensionFilterProvider {
    @Override
    public WebSocketExtensionFilter encoderFilter() {
      return frame -> channel.attr(StateKey.AUTHENTICATED_USER).get() == null;
    }

    @Override
    public WebSocketExtensionFilter decoderFilter() {
      return WebSocketExtensionFilter.NEVER_SKIP;
    }
  }
}
