package io.bg3.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.connection.ReceiveMeter.Place;
import io.bg3.server.log.ClientLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sends messages in parts, and looks what they count as. */
class ReceiveMeterTest {
  private static final int FREE = ReceiveBuffers.FREE;
  private static final int MESSAGE = 1 << 20;

  private final ClientLog log = new ClientLog();
  private final ReceiveBuffers buffers = new ReceiveBuffers(1 << 30, log);
  private EmbeddedChannel channel;

  @AfterEach
  void close() {
    channel.releaseInbound();
    channel.close().syncUninterruptibly(); // perhaps in the middle of a message
    log.close();
  }

  @Test
  void eachFrameCountsAsAnObject() {
    webSocket();
    for (int i = 0; i < 500; i++) {
      channel.writeInbound(part(i, 1, false));
    }
    assertTrue(buffers.total() >= 500 * ReceiveMeter.OBJECT - FREE, "" + buffers.total());
    channel.writeInbound(part(500, 1, true));
    assertEquals(0, buffers.total());
  }

  @Test
  void whatIsCountedIsGivenBack() {
    webSocket();
    for (int message = 0; message < 200; message++) {
      int parts = 1 + message % 5;
      for (int i = 0; i < parts; i++) {
        channel.writeInbound(part(i, 10_000, i == parts - 1));
      }
      assertEquals(0, buffers.total());
    }
    channel.writeInbound(part(0, FREE, false));
    assertEquals(2 * ReceiveMeter.OBJECT, buffers.total(), "nothing of the others is left");
  }

  @Test
  void aMessageInTooManyPartsEndsItsConnection() {
    webSocket();
    for (int i = 0; i < 100_000 && channel.isOpen(); i++) {
      channel.writeInbound(part(i, 1, false));
    }
    assertFalse(channel.isOpen());
    assertEquals(0, buffers.total());
  }

  @Test
  void aDriverThatSendsFourKilobytesAFrameIsNoAttacker() {
    webSocket();
    for (int i = 0; i < 256; i++) {
      channel.writeInbound(part(i, 4_096 - 1, i == 255));
    }
    assertTrue(channel.isOpen());
    assertEquals(0, buffers.total());
  }

  @Test
  void whatComesBehindAFrameStaysCounted() {
    channel =
        new EmbeddedChannel(
            new ReceiveMeter(buffers, Place.BYTES), new ReceiveMeter(buffers, Place.FRAMES));
    channel.writeInbound(Unpooled.buffer().writeZero(60_000));
    channel.writeInbound(part(0, 100, true)); // is 106 bytes on the wire
    readNothing();
    assertEquals(60_000 - 106 - FREE, buffers.total());
    channel.writeInbound(part(0, 1_000, true)); // 1,008
    readNothing();
    assertEquals(60_000 - 106 - 1_008 - FREE, buffers.total());
    channel.writeInbound(part(0, 70_000, true));
    readNothing();
    assertEquals(0, buffers.total());
  }

  @Test
  void headersAndPartsOfARequestCount() {
    channel =
        new EmbeddedChannel(
            new ReceiveMeter(buffers, Place.BYTES),
            new HttpServerCodec(HeaderLimit.config(16_384, 8_192, 8_192)),
            new ReceiveMeter(buffers, Place.CHUNKS),
            new HttpObjectAggregator(MESSAGE),
            new ReceiveMeter(buffers, Place.INFLATED));
    send("GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n" + "a:\r\n".repeat(100) + "\r\n");
    assertTrue(buffers.total() >= 20_000 - FREE, "" + buffers.total());
    long before = buffers.total();
    send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 500; i++) {
      send("1\r\nx\r\n");
    }
    long counted = buffers.total() - before;
    assertTrue(counted >= 500 * ReceiveMeter.OBJECT, "" + counted);
  }

  /** A read, even an empty one, counts what there is. */
  private void readNothing() {
    channel.writeInbound(Unpooled.buffer());
  }

  private void webSocket() {
    channel =
        new EmbeddedChannel(
            new ReceiveMeter(buffers, Place.FRAMES),
            new ReceiveMeter(buffers, Place.INFLATED),
            new WebSocketFrameAggregator(MESSAGE),
            new ReceiveMeter(buffers, Place.MESSAGES),
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                ((WebSocketFrame) message).release();
              }
            });
  }

  private void send(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  private static WebSocketFrame part(int index, int length, boolean last) {
    ByteBuf content = Unpooled.buffer(length).writeZero(length);
    return index == 0
        ? new BinaryWebSocketFrame(last, 0, content)
        : new ContinuationWebSocketFrame(last, 0, content);
  }
}
