package io.bg3.server.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;

/**
 * Tells {@link ReceiveBuffers} what a connection sends, at one of several places in its pipeline,
 * and refuses messages in too many parts: each part is an object and is copied more than once, so
 * that a megabyte in single bytes costs far more than a megabyte.
 *
 * <p>Threads: one instance a place and connection, in its event loop.
 */
public final class ReceiveMeter extends ChannelInboundHandlerAdapter {
  /** Where a meter stands. */
  public enum Place {
    /** Ahead of everything that decodes. */
    BYTES,

    /** Behind what makes frames of bytes. */
    FRAMES,

    /** Behind what makes parts of a body of HTTP of bytes. */
    CHUNKS,

    /** Behind what inflates frames, or makes a request of HTTP whole. */
    INFLATED,

    /** Behind what puts frames together to messages. */
    MESSAGES
  }

  /** Bytes of heap that a part or a message takes beside its content. */
  static final int OBJECT = 256;

  /** Bytes of heap that a header takes beside its characters. */
  private static final int HEADER = 128;

  /** Parts that a message may have in any case, and how many bytes justify one more. */
  private static final int PARTS = 1_024;

  private static final int BYTES_OF_A_PART = 16;

  private final ReceiveBuffers buffers;
  private final Place place;
  private ReceiveBuffers.Share share;
  private int parts; // of the message that is being received
  private long bytes; // of these parts

  /** A meter at a place. */
  public ReceiveMeter(ReceiveBuffers buffers, Place place) {
    this.buffers = buffers;
    this.place = place;
  }

  /** Bytes that a message counts as: its content, its headers if it has any, and its objects. */
  public static long size(ByteBufHolder message) {
    long size = (long) OBJECT + message.content().readableBytes();
    if (message instanceof FullHttpRequest request) {
      size += request.uri().length() + (long) HEADER * request.headers().size();
      if (request.content() instanceof CompositeByteBuf parts) {
        size += (long) OBJECT * parts.numComponents();
      }
    }
    return size;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    share = buffers.share(context.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    boolean isRoom =
        switch (place) {
          case BYTES ->
              !(message instanceof ByteBuf buffer) || share.received(buffer.readableBytes());
          case FRAMES -> frame(message);
          case CHUNKS -> !(message instanceof HttpContent chunk) || part(chunk, false);
          case INFLATED -> inflated(message);
          case MESSAGES -> handedOn(context, message);
        };
    if (!isRoom) {
      ReferenceCountUtil.release(message);
      return;
    }
    boolean isLast = isLastPart(message);
    context.fireChannelRead(message);
    if (isLast) { // the parts are one message now, which the next handler has taken or counts
      share.handedOn((long) OBJECT * parts);
      parts = 0;
      bytes = 0;
    }
  }

  private boolean frame(Object message) {
    if (message instanceof WebSocketFrame frame) {
      share.decoded(wireSize(frame));
    } else if (message instanceof FullHttpRequest) {
      share.decoded();
    }
    return true;
  }

  private boolean inflated(Object message) {
    if (message instanceof FullHttpRequest request) {
      share.decoded();
      return share.waits(size(request));
    }
    return !isData(message) || part((WebSocketFrame) message, true);
  }

  /** Counts a part of a message; its content counts here unless it counts as received bytes. */
  private boolean part(ByteBufHolder part, boolean withContent) {
    int length = part.content().readableBytes();
    parts++;
    bytes += length;
    if (parts > PARTS + bytes / BYTES_OF_A_PART) {
      share.close("a message in too many parts: parts=" + parts + ", bytes=" + bytes);
      return false;
    }
    boolean isFirst = parts == 1;
    return share.waits(OBJECT + (withContent ? length + (isFirst ? OBJECT : 0) : 0));
  }

  private boolean isLastPart(Object message) {
    return place == Place.CHUNKS
        ? message instanceof LastHttpContent
        : place == Place.INFLATED
            && isData(message)
            && ((WebSocketFrame) message).isFinalFragment();
  }

  private boolean handedOn(ChannelHandlerContext context, Object message) {
    if (isData(message)) {
      ConnectionGate.setBusy(context.channel());
      share.handedOn(size((WebSocketFrame) message));
    }
    return true;
  }

  /** Whether a frame is a message or a part of one. */
  static boolean isData(Object message) {
    return message instanceof WebSocketFrame frame
        && (frame instanceof BinaryWebSocketFrame
            || frame instanceof TextWebSocketFrame
            || frame instanceof ContinuationWebSocketFrame);
  }

  /**
   * Bytes of a frame as a client sends it: two, the length in 0, 2 or 8, the mask in 4, content.
   */
  private static long wireSize(WebSocketFrame frame) {
    int length = frame.content().readableBytes();
    int ofLength = length < 126 ? 0 : length <= 0xffff ? 2 : 8;
    return 2L + ofLength + 4 + length;
  }
}
