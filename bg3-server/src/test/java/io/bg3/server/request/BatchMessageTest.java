package io.bg3.server.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.guard.Messages;
import io.bg3.testing.Seeds;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.Test;

/** Gives the reader of batches what drivers send, and everything that differs from it a little. */
class BatchMessageTest {
  private static final byte[] OPERATIONS = {1, 0, 0, 0, 0};

  private static RequestMessage request(String service, byte[] operations) {
    Bytecode call = new Bytecode();
    call.addStep("call", service, Map.of("operations", ByteBuffer.wrap(operations)));
    return RequestMessage.from(Messages.request(call)).addArg(Tokens.ARGS_BATCH_SIZE, 64).create();
  }

  private static Optional<RequestMessage> read(byte[] message) {
    return BatchMessage.read(Unpooled.wrappedBuffer(message));
  }

  @Test
  void readsWhatADriverSends() {
    for (String service : new String[] {"bg3.batch", "bg3.batch.read"}) {
      RequestMessage sent = request(service, OPERATIONS);
      RequestMessage read = read(Messages.binary(sent)).orElseThrow();
      assertEquals(sent.getRequestId(), read.getRequestId());
      assertEquals("traversal", read.getProcessor());
      assertEquals(Map.of("g", "g"), read.getArgs().get(Tokens.ARGS_ALIASES));
      assertEquals(
          sent.getArgs().get(Tokens.ARGS_GREMLIN), read.getArgs().get(Tokens.ARGS_GREMLIN));
      assertTrue(BatchQueries.call(read).isPresent());
    }
  }

  @Test
  void othersAreNotRead() {
    Bytecode two = new Bytecode();
    two.addStep("call", "bg3.batch.read", Map.of("operations", ByteBuffer.wrap(OPERATIONS)));
    two.addStep("count");
    Bytecode sourced = new Bytecode();
    sourced.addSource("withBulk", false);
    sourced.addStep("call", "bg3.batch.read", Map.of("operations", ByteBuffer.wrap(OPERATIONS)));
    Bytecode text = new Bytecode();
    text.addStep("call", "bg3.batch.read", Map.of("operations", "text"));
    for (Bytecode query : new Bytecode[] {two, sourced, text, new Bytecode()}) {
      assertEquals(Optional.empty(), read(Messages.binary(query)), query.toString());
    }
    assertEquals(Optional.empty(), read(Messages.binary(request("bg3.links.get", OPERATIONS))));
    assertEquals(Optional.empty(), read(Messages.binary(Messages.request("g.V()"))));
    RequestMessage inSession =
        RequestMessage.from(request("bg3.batch.read", OPERATIONS))
            .addArg(Tokens.ARGS_SESSION, "s")
            .create();
    assertEquals(Optional.empty(), read(Messages.binary(inSession)));
    byte[] large = new byte[BatchMessage.MOST_BYTES];
    assertEquals(Optional.empty(), read(Messages.binary(request("bg3.batch.read", large))));
  }

  /** Whatever is read by it is read by TinkerPop's reader, and means the same. */
  @Test
  void agreesWithTheReaderOfAllMessages() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    byte[] message = Messages.binary(request("bg3.batch.read", OPERATIONS));
    int read = 0;
    for (int i = 0; i < 50_000; i++) {
      byte[] changed =
          Arrays.copyOf(message, message.length - random.nextInt(2) * random.nextInt(9));
      changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      Optional<RequestMessage> batch = read(changed);
      if (batch.isPresent()) {
        read++;
        RequestMessage whole = Messages.read(changed);
        String at = Seeds.say(seed) + ", i=" + i;
        assertEquals(whole.getRequestId(), batch.get().getRequestId(), at);
        assertEquals(whole.getOp(), batch.get().getOp(), at);
        assertEquals(
            whole.getArgs().get(Tokens.ARGS_GREMLIN),
            batch.get().getArgs().get(Tokens.ARGS_GREMLIN),
            at);
      }
    }
    assertTrue(read > 0, "some changes are of the id or of the operations");
  }
}
