package io.bg3.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/**
 * Stops and resumes the reading of a connection while bytes come, and looks at what is handed on.
 */
class ReadGateTest {
  private static final AutoRead.Reason WHY = AutoRead.Reason.BACKLOG;

  /** Counts how often the socket is to be read from. */
  private static final class Reads extends ChannelOutboundHandlerAdapter {
    private int count;

    @Override
    public void read(ChannelHandlerContext context) {
      count++;
    }
  }

  /** Stops the reading at the first piece that comes. */
  private static final class Full extends ChannelInboundHandlerAdapter {
    private boolean resumesAtOnce;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      AutoRead.stop(context.channel(), WHY);
      context.fireChannelRead(message);
      if (resumesAtOnce) {
        AutoRead.resume(context.channel(), WHY);
      }
    }
  }

  private final Reads reads = new Reads();
  private final Full full = new Full();
  private int sent;
  private int taken;

  private ByteBuf bytes(int count) {
    ByteBuf bytes = Unpooled.buffer(count);
    for (int i = 0; i < count; i++) {
      bytes.writeByte(sent++);
    }
    return bytes;
  }

  /** Takes what was handed on, which is in the order in which it was sent; says how much. */
  private int take(EmbeddedChannel channel) {
    int count = 0;
    for (ByteBuf piece = channel.readInbound(); piece != null; piece = channel.readInbound()) {
      while (piece.isReadable()) {
        assertEquals((byte) taken++, piece.readByte());
        count++;
      }
      piece.release();
    }
    return count;
  }

  @Test
  void aConnectionThatIsReadFromGetsAllBytes() {
    EmbeddedChannel channel = new EmbeddedChannel(reads, new ReadGate());
    channel.writeInbound(bytes(100_000));
    assertEquals(100_000, take(channel));
    assertFalse(channel.finish());
  }

  @Test
  void bytesOfARequestBehindTheOneThatStopsTheReadingWait() {
    EmbeddedChannel channel = new EmbeddedChannel(reads, new ReadGate(), full);
    channel.writeInbound(bytes(65_536));
    assertEquals(ReadGate.PIECE, take(channel));
    channel.writeInbound(bytes(65_536)); // a read that was under way
    assertEquals(0, take(channel));
    int before = reads.count;
    int left = 2 * 65_536 - ReadGate.PIECE;
    for (; left > 0; left -= ReadGate.PIECE) {
      assertEquals(before, reads.count, "no further read is asked for");
      AutoRead.resume(channel, WHY);
      assertEquals(ReadGate.PIECE, take(channel));
    }
    AutoRead.resume(channel, WHY);
    assertEquals(0, take(channel));
    assertEquals(before + 1, reads.count);
    assertFalse(channel.finish());
  }

  @Test
  void aReadThatADecoderAsksForBringsNothingWhileTheConnectionIsNotReadFrom() {
    EmbeddedChannel channel = new EmbeddedChannel(reads, new ReadGate(), full);
    channel.writeInbound(bytes(2 * ReadGate.PIECE));
    int before = reads.count;
    channel.pipeline().context(full).read();
    assertEquals(ReadGate.PIECE, take(channel));
    assertEquals(before, reads.count);
    AutoRead.resume(channel, WHY);
    assertEquals(ReadGate.PIECE, take(channel));
    assertFalse(channel.finish());
  }

  @Test
  void aHandlerMayStopAndResumeWhileItIsHandedAPiece() {
    full.resumesAtOnce = true;
    EmbeddedChannel channel = new EmbeddedChannel(reads, new ReadGate(), full);
    channel.writeInbound(bytes(10 * ReadGate.PIECE + 1));
    assertEquals(10 * ReadGate.PIECE + 1, take(channel));
    assertTrue(channel.config().isAutoRead());
    assertFalse(channel.finish());
  }

  @Test
  void bytesThatWaitWhenTheConnectionClosesAreGivenBack() {
    EmbeddedChannel channel = new EmbeddedChannel(new ReadGate(), full);
    ByteBuf bytes = bytes(3 * ReadGate.PIECE);
    channel.writeInbound(bytes);
    assertEquals(ReadGate.PIECE, take(channel));
    assertEquals(1, bytes.refCnt());
    assertTrue(channel.close().isSuccess());
    assertEquals(0, bytes.refCnt());
    assertNull(channel.readInbound());
  }
}
