package io.bg3.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.bg3.server.log.ClientLog;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Has channels in memory, of several addresses, send bytes that are no message. */
class ReceiveBuffersTest {
  private static final int LIMIT = 100_000;
  private static final int FREE = ReceiveBuffers.FREE;

  private final ClientLog log = new ClientLog();
  private final ReceiveBuffers buffers = new ReceiveBuffers(LIMIT, log);

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void ordinaryRequestsAreNotCounted() throws Exception {
    ReceiveBuffers.Share share = buffers.share(channel(1));
    for (int i = 0; i < 1_000; i++) {
      assertTrue(share.received(FREE));
      share.decoded();
      assertTrue(share.waits(FREE - 14));
      share.handedOn(FREE - 14);
    }
    assertEquals(0, buffers.total());
  }

  @Test
  void theLargerOfBytesAndFramesCounts() throws Exception {
    ReceiveBuffers.Share share = buffers.share(channel(1));
    share.received(FREE + 1_000);
    assertEquals(1_000, buffers.total());
    share.decoded();
    share.waits(FREE + 50_000); // inflated
    assertEquals(50_000, buffers.total());
    share.received(2_000);
    assertEquals(50_000, buffers.total());
    share.handedOn(FREE + 50_000);
    assertEquals(0, buffers.total());
  }

  @Test
  void theConnectionThatHeldTheLongestOfTheLargestAddressIsClosed() throws Exception {
    EmbeddedChannel honest = channel(2);
    assertTrue(buffers.share(honest).received(FREE + 30_000));
    EmbeddedChannel[] hostile = new EmbeddedChannel[10];
    for (int i = 0; i < hostile.length; i++) {
      hostile[i] = channel(1);
      assertTrue(buffers.share(hostile[i]).received(FREE + 30_000));
    }
    assertTrue(honest.isOpen());
    for (int i = 0; i < 8; i++) {
      assertFalse(hostile[i].isOpen(), "connection " + i);
      assertFalse(buffers.share(hostile[i]).received(1 + FREE));
    }
    assertTrue(hostile[8].isOpen() && hostile[9].isOpen());
    assertEquals(90_000, buffers.total());
  }

  @Test
  void whatAConnectionHeldEndsWithIt() throws Exception {
    for (int i = 0; i < 100; i++) {
      EmbeddedChannel channel = channel(i % 3);
      assertTrue(buffers.share(channel).received(FREE + 90_000));
      channel.close().syncUninterruptibly();
    }
    assertEquals(0, buffers.total());
  }

  @Test
  void aLogThatStallsHoldsUpNoOtherConnection() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(ClientLog.NAME);
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AppenderBase<ILoggingEvent> stalling =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            stalled.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              return; // the test is over
            }
          }
        };
    stalling.start();
    logger.addAppender(stalling);
    Level before = logger.getLevel();
    logger.setLevel(Level.WARN);
    EmbeddedChannel hostile = channel(1);
    EmbeddedChannel honest = channel(2);
    Thread excess = new Thread(() -> buffers.share(hostile).received(2L * LIMIT));
    try {
      excess.start();
      assertTrue(stalled.await(300, TimeUnit.SECONDS));
      CompletableFuture<Boolean> other =
          CompletableFuture.supplyAsync(() -> buffers.share(honest).received(FREE + 1_000));
      assertTrue(other.get(300, TimeUnit.SECONDS));
    } finally {
      goOn.countDown();
      excess.join();
      logger.detachAppender(stalling);
      logger.setLevel(before);
    }
    assertFalse(hostile.isOpen());
  }

  private static EmbeddedChannel channel(int address) throws UnknownHostException {
    InetAddress host = InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) address});
    return new EmbeddedChannel() {
      @Override
      protected SocketAddress remoteAddress0() {
        return new InetSocketAddress(host, 1_000);
      }
    };
  }
}
