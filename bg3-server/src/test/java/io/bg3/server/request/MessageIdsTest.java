package io.bg3.server.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.server.guard.Messages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.Test;

/**
 * Requests that belong to a session, and those that look like some: a client with a limit on its
 * queries gains by a session, and by nothing that looks like one.
 */
class MessageIdsTest {
  private static final String MORE = ",\"op\":\"eval\",\"args\":{\"session\":\"session\"}}";

  private static boolean isInSession(String json) {
    return isInSession(json.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isInSession(byte[] json) {
    ByteBuf bytes = Unpooled.wrappedBuffer(json);
    boolean isIn = MessageIds.isTextInSession(bytes);
    assertEquals(json.length, bytes.readableBytes(), "nothing is taken");
    return isIn;
  }

  private static RequestMessage request(String processor, String query) {
    return RequestMessage.build(Tokens.OPS_EVAL)
        .processor(processor)
        .addArg(Tokens.ARGS_GREMLIN, query)
        .addArg(Tokens.ARGS_SESSION, "session")
        .create();
  }

  @Test
  void aRequestBelongsToASessionByItsProcessorAlone() {
    for (String processor : new String[] {"session", "traversal", "", "sessions"}) {
      boolean isIn = processor.equals("session");
      RequestMessage request = request(processor, "g.V().has('processor', 'session')");
      assertEquals(isIn, isInSession(Messages.json(request)), processor);
      ByteBuf binary = Unpooled.wrappedBuffer(Messages.binary(request));
      binary.skipBytes(binary.getByte(0) + 1);
      assertEquals(isIn, MessageIds.isInSession(binary), processor);
    }
  }

  @Test
  void whatLooksLikeASessionIsNone() {
    assertEquals(true, isInSession("{\"processor\":\"session\"" + MORE));
    assertEquals(true, isInSession("{\"processor\":\"\",\"processor\":\"session\"" + MORE));
    assertEquals(false, isInSession("{\"processor\":\"session\",\"processor\":\"\"" + MORE));
    assertEquals(false, isInSession("{\"processor\":\"\"" + MORE));
    assertEquals(false, isInSession("{\"processor\":[\"session\"]" + MORE));
    assertEquals(false, isInSession("{\"args\":{\"processor\":\"session\"}}"));
    assertEquals(false, isInSession("[{\"processor\":\"session\"" + MORE + "]"));
    assertEquals(false, isInSession("{\"processor\":\"session\",\"args\":{"));
    assertEquals(false, isInSession("{\"processor\":\"session\",\"args\":" + "[".repeat(20_000)));
    assertEquals(false, isInSession("\"session\""));
    assertEquals(false, isInSession(""));
  }

  @Test
  void aLargeMessageIsNotLookedThrough() {
    assertEquals(true, isInSession(Messages.json(request("session", "x".repeat(50_000)))));
    assertEquals(false, isInSession(Messages.json(request("session", "x".repeat(70_000)))));
  }
}
