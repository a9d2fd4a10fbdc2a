package io.bg3.server.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.compression.ZlibCodecFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilter;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilterProvider;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtensionHandler;
import io.netty.handler.codec.http.websocketx.extensions.compression.DeflateFrameServerExtensionHandshaker;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Netty's compression of WebSockets for the clients that ask for it, limited to the answers that
 * are worth it:
 *
 * <ul>
 *   <li>C1: an answer above {@link #LARGEST} bytes is sent as it is: an event loop compresses, and
 *       all its connections would wait for one answer.
 *   <li>C2: an answer below {@link #SMALLEST} bytes is sent as it is: it takes one packet of the
 *       network either way, and compressing it takes longer than many a query.
 *   <li>C3: nothing is compressed before the connection may have it: the state of a compressor
 *       takes a quarter of a megabyte outside of the heap for each connection.
 *   <li>C4: a client that connects by a loopback address gets no compression: no network is between
 *       the two. Drivers that may compress do so with each request, and deflating and inflating a
 *       small one takes longer than many a query. A connection of a proxy is one of its clients',
 *       who may be anywhere; it says so by one of {@link #FORWARDED}.
 * </ul>
 *
 * <p>The protocol marks each message as compressed or not, so clients take both. The server
 * inflates compressed messages of a client at any time, up to the size of a message.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
public final class AnswerCompression extends WebSocketServerExtensionHandler {
  /** Bytes of the smallest frame that is compressed. */
  static final int SMALLEST = 1 << 10;

  /** Bytes of the largest frame that is compressed: it takes about a millisecond. */
  static final int LARGEST = 32 << 10;

  /** Headers by which a proxy says that it passes on the request of another host. */
  private static final List<String> FORWARDED =
      List.of("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP");

  private static final int LEVEL = 6; // zlib's default
  private static final int WINDOW = 15; // the largest

  /**
   * Compresses the answers of one connection from the beginning.
   *
   * @param most bytes that a message becomes when it is inflated
   */
  public AnswerCompression(int most) {
    this(most, () -> true);
  }

  /**
   * Compresses the answers of one connection as soon as it may.
   *
   * @param most bytes that a message becomes when it is inflated
   * @param mayCompress whether the connection may have a compressor (C3); the event loop asks for
   *     each frame
   */
  public AnswerCompression(int most, BooleanSupplier mayCompress) {
    this(most, new Filters(frame -> !isWorth(frame) || !mayCompress.getAsBoolean()));
  }

  private AnswerCompression(int most, Filters filters) {
    super(
        new PerMessageDeflateServerExtensionHandshaker(
            LEVEL,
            ZlibCodecFactory.isSupportingWindowSizeAndMemLevel(),
            WINDOW,
            false,
            false,
            filters,
            most),
        new DeflateFrameServerExtensionHandshaker(LEVEL, filters, most));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof HttpRequest request
        && isLocal(context.channel().remoteAddress(), request.headers())) { // C4
      request.headers().remove(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS);
    }
    super.channelRead(context, message);
  }

  private static boolean isLocal(SocketAddress remote, HttpHeaders headers) {
    return remote instanceof InetSocketAddress internet
        && internet.getAddress() != null
        && internet.getAddress().isLoopbackAddress()
        && FORWARDED.stream().noneMatch(headers::contains);
  }

  /**
   * Netty's filters of a connection.
   *
   * @param encoderFilter tells which frames are not compressed
   */
  private record Filters(WebSocketExtensionFilter encoderFilter)
      implements WebSocketExtensionFilterProvider {
    @Override
    public WebSocketExtensionFilter decoderFilter() {
      return WebSocketExtensionFilter.NEVER_SKIP;
    }
  }

  private static boolean isWorth(WebSocketFrame frame) {
    int length = frame.content().readableBytes();
    return length >= SMALLEST && length <= LARGEST;
  }
}
