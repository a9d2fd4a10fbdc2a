package io.bg3.server.connection;

import io.netty.handler.codec.compression.ZlibCodecFactory;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilter;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilterProvider;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtensionHandler;
import io.netty.handler.codec.http.websocketx.extensions.compression.DeflateFrameServerExtensionHandshaker;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;

/**
 * Netty's compression of WebSockets for the clients that ask for it, without the frames that are
 * large: an event loop compresses them, and all its connections would wait for one answer. What a
 * client compresses is inflated up to the size of a message.
 */
public final class AnswerCompression extends WebSocketServerExtensionHandler {
  /** Bytes of the largest frame that is compressed: it takes about a millisecond. */
  static final int LARGEST = 32 << 10;

  private static final int LEVEL = 6; // zlib's default
  private static final int WINDOW = 15; // the largest

  private static final WebSocketExtensionFilterProvider SMALL_ONLY =
      new WebSocketExtensionFilterProvider() {
        @Override
        public WebSocketExtensionFilter encoderFilter() {
          return AnswerCompression::isLarge;
        }

        @Override
        public WebSocketExtensionFilter decoderFilter() {
          return WebSocketExtensionFilter.NEVER_SKIP;
        }
      };

  /**
   * For one connection.
   *
   * @param most bytes that a message becomes when it is inflated
   */
  public AnswerCompression(int most) {
    super(
        new PerMessageDeflateServerExtensionHandshaker(
            LEVEL,
            ZlibCodecFactory.isSupportingWindowSizeAndMemLevel(),
            WINDOW,
            false,
            false,
            SMALL_ONLY,
            most),
        new DeflateFrameServerExtensionHandshaker(LEVEL, SMALL_ONLY, most));
  }

  private static boolean isLarge(WebSocketFrame frame) {
    return frame.content().readableBytes() > LARGEST;
  }
}
