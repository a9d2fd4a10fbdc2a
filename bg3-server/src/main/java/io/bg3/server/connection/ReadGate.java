package io.bg3.server.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * Hands the bytes of a connection on in small pieces, and none while the connection is not read
 * from ({@link AutoRead}). A read from the socket brings up to 64 KiB, and a second one may be
 * under way when reading stops; a client whose messages are small or compressed has thousands of
 * requests in them. So the bytes wait here, as those behind them do in the socket: no more requests
 * are made of them than a piece has.
 *
 * <pre>
 *   socket, TLS   64 KiB   gate   a piece, while the connection is read from   decoders
 * </pre>
 *
 * <ul>
 *   <li>G1: while the connection is not read from, no byte is handed on but the rest of a piece.
 *   <li>G2: no further read is asked for while bytes wait, or while the connection is not read
 *       from. Decoders that lack the rest of a message ask for one by themselves.
 *   <li>G3: bytes are handed on in the order in which they came, once.
 * </ul>
 *
 * <p>It stands behind what counts the bytes that are no request yet ({@link ReceiveMeter}), so
 * those that wait here count as well.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
public final class ReadGate extends ChannelDuplexHandler {
  /** Bytes of a piece: a few requests of a common size. */
  static final int PIECE = 1_024;

  private ByteBuf waiting; // null if no byte waits
  private boolean isHandingOn;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    waiting =
        waiting == null
            ? bytes
            : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), waiting, bytes);
    handOn(context);
  }

  @Override
  public void read(ChannelHandlerContext context) {
    if (!context.channel().config().isAutoRead()) {
      return;
    }
    if (waiting != null && !isHandingOn) {
      handOn(context);
      context.fireChannelReadComplete(); // that of the read has come already
    }
    if (waiting == null && context.channel().config().isAutoRead()) {
      context.read();
    }
  }

  private void handOn(ChannelHandlerContext context) {
    if (isHandingOn) {
      return; // a handler behind has had the connection read from again
    }
    isHandingOn = true;
    try {
      while (waiting != null && context.channel().config().isAutoRead()) {
        ByteBuf piece = nextPiece();
        context.fireChannelRead(piece);
      }
    } finally {
      isHandingOn = false;
    }
  }

  private ByteBuf nextPiece() {
    ByteBuf bytes = waiting;
    if (bytes.readableBytes() > PIECE) {
      return bytes.readRetainedSlice(PIECE);
    }
    waiting = null;
    return bytes;
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    release();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    release();
  }

  private void release() {
    if (waiting != null) {
      waiting.release();
      waiting = null;
    }
  }
}
