package io.bg3.server.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waits for a client that reads, reads late, never reads, or leaves. */
class ClientReadsTest {
  private static final long PATIENCE_SECONDS = 300;

  private final EmbeddedChannel channel = new EmbeddedChannel();

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void writable(boolean writable) {
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
  }

  private CompletableFuture<Boolean> waiting() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return ClientReads.await(channel, PATIENCE_SECONDS, TimeUnit.SECONDS)
                && ClientReads.await(channel);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void aClientThatReadsIsNotWaitedFor() throws Exception {
    assertTrue(ClientReads.await(channel));
    assertTrue(ClientReads.await(channel, 0, TimeUnit.SECONDS));
  }

  @Test
  void aClientThatReadsLateIsWaitedFor() throws Exception {
    writable(false);
    CompletableFuture<Boolean> waiting = waiting();
    writable(true);
    assertEquals(true, waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aClientThatLeavesIsNotWaitedFor() throws Exception {
    writable(false);
    CompletableFuture<Boolean> waiting = waiting();
    assertTrue(channel.close().awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertEquals(false, waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aClientThatDoesNotReadInTimeIsClosed() throws Exception {
    writable(false);
    assertFalse(ClientReads.await(channel, 0, TimeUnit.SECONDS));
    assertFalse(channel.isActive());
  }

  @Test
  void anInterruptEndsTheWait() {
    writable(false);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> ClientReads.await(channel));
  }
}
