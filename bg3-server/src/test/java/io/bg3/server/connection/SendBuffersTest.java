package io.bg3.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.log.ClientLog;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes to channels in memory, of several addresses, whose clients read when the test flushes. */
class SendBuffersTest {
  private static final int LIMIT = 1_000_000;
  private static final int LARGE = 300_000;
  private static final long MILLIS = 1_000;

  private final ClientLog log = new ClientLog();
  private final SendBuffers buffers = new SendBuffers(LIMIT, log);

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void ordinaryAnswersAreNotCounted() throws Exception {
    EmbeddedChannel channel = channel(1);
    for (int i = 0; i < 100; i++) {
      write(channel, 60_000);
      assertEquals(0, buffers.total());
      read(channel);
    }
  }

  @Test
  void whatIsReadIsNotCounted() throws Exception {
    EmbeddedChannel channel = channel(1);
    write(channel, LARGE);
    assertTrue(Math.abs(LARGE - buffers.total()) < 70_000, "total=" + buffers.total());
    read(channel);
    assertEquals(0, buffers.total());
    write(channel, LARGE);
    channel.close().syncUninterruptibly();
    assertEquals(0, buffers.total());
  }

  @Test
  void theConnectionThatHasNotReadForTheLongestTimeIsClosed() throws Exception {
    EmbeddedChannel honest = channel(2);
    write(honest, LARGE);
    EmbeddedChannel[] hostile = new EmbeddedChannel[10];
    for (int i = 0; i < hostile.length; i++) {
      hostile[i] = channel(1);
      write(hostile[i], LARGE);
    }
    assertTrue(honest.isOpen());
    for (int i = 0; i < 8; i++) {
      assertFalse(hostile[i].isOpen(), "connection " + i);
    }
    assertTrue(hostile[9].isOpen());
    assertTrue(buffers.total() <= LIMIT);
  }

  /** HTTP sends a GraphBinary answer when it is whole; until then the connection keeps it. */
  @Test
  void anAnswerThatIsNotWholeCounts() throws Exception {
    EmbeddedChannel[] channels = new EmbeddedChannel[5];
    for (int i = 0; i < channels.length; i++) {
      channels[i] = channel(1);
      UnreadAnswers.collect(channels[i], LARGE / 2);
      UnreadAnswers.collect(channels[i], LARGE);
    }
    assertFalse(channels[0].isOpen());
    assertFalse(channels[1].isOpen());
    for (int i = 2; i < channels.length; i++) {
      assertTrue(channels[i].isOpen(), "connection " + i);
    }
    assertEquals(3 * LARGE, buffers.total());
    for (int i = 2; i < channels.length; i++) {
      UnreadAnswers.collect(channels[i], 0);
    }
    assertEquals(0, buffers.total());
  }

  /** Bytes that threads write which have found the connection writable are not unread for long. */
  @Test
  void aClientThatReadsStaysAlthoughMoreIsWritten() throws Exception {
    EmbeddedChannel channel = channel(1);
    channel.freezeTime();
    write(channel, LARGE);
    write(channel, LARGE);
    channel.advanceTimeBy(MILLIS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertFalse(channel.isOpen(), "it has read nothing");
    EmbeddedChannel reads = channel(2);
    reads.freezeTime();
    write(reads, LARGE);
    reads.unsafe().outboundBuffer().addFlush();
    reads.unsafe().outboundBuffer().removeBytes(100_000); // as a socket takes them
    write(reads, LARGE);
    reads.advanceTimeBy(MILLIS, TimeUnit.MILLISECONDS);
    reads.runScheduledPendingTasks();
    assertTrue(reads.isOpen());
  }

  private static void write(EmbeddedChannel channel, int bytes) {
    var unused = channel.write(Unpooled.wrappedBuffer(new byte[bytes]));
    channel.runPendingTasks();
  }

  private static void read(EmbeddedChannel channel) {
    channel.flushOutbound();
    channel.releaseOutbound();
  }

  private EmbeddedChannel channel(int address) throws UnknownHostException {
    InetAddress host = InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) address});
    return new EmbeddedChannel(new UnreadAnswers(MILLIS, buffers)) {
      @Override
      protected SocketAddress remoteAddress0() {
        return new InetSocketAddress(host, 1_000);
      }
    };
  }
}
