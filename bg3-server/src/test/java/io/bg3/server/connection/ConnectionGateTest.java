package io.bg3.server.connection;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bg3.server.answer.Admission;
import io.bg3.server.log.ClientLog;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class ConnectionGateTest {
  /** A client that sends without end takes one read at a time from the others. */
  @Test
  void aConnectionIsReadFromOnceInItsTurn() {
    try (ClientLog log = new ClientLog()) {
      EmbeddedChannel channel =
          new EmbeddedChannel(new ConnectionGate(10, 10, new Admission(), log));
      var reads = channel.config().getRecvByteBufAllocator().newHandle();
      reads.reset(channel.config());
      int bytes = reads.guess();
      reads.attemptedBytesRead(bytes);
      reads.lastBytesRead(bytes); // there is more
      reads.incMessagesRead(1);
      assertFalse(reads.continueReading());
      channel.finishAndReleaseAll();
    }
  }
}
