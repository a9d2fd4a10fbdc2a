package io.bg3.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Has errors of every kind reach the end of a pipeline, and reads what is logged of them. */
class ConnectionErrorsTest {
  private static final String SECRET = "474554202f20485454502f312e31";

  @Test
  void bytesOfAClientAreNotLogged() {
    String line = logged(new DecoderException(new NotSslRecordException("not TLS: " + SECRET)));
    assertEquals("connection is not TLS: from=embedded, the port takes TLS only", line);
  }

  @Test
  void eachKindIsOneLine() {
    assertEquals(
        "TLS failed: from=embedded, problem=no\\u000acipher",
        logged(new DecoderException(new SSLHandshakeException("no\ncipher"))));
    assertEquals(
        "connection broke the protocol: from=embedded, problem=too long",
        logged(new TooLongFrameException("too long")));
    assertEquals(
        "message cannot be read: from=embedded, problem=bad", logged(new DecoderException("bad")));
    String bug = logged(new NullPointerException("bug"));
    assertTrue(
        bug.startsWith(
            "connection failed: from=embedded, cause=java.lang.NullPointerException: bug, at="
                + ConnectionErrorsTest.class.getName()),
        bug);
  }

  @Test
  void aLineHasAnEnd() {
    String line = logged(new DecoderException("x\n".repeat(10_000)));
    assertTrue(line.length() <= ClientLog.LENGTH, "length=" + line.length());
    assertTrue(line.endsWith("... 20008 characters in all"), line);
  }

  @Test
  void aClientThatGoesIsNoEvent() {
    assertEquals("", logged(new IOException("Connection reset by peer")));
  }

  @Test
  void aFloodIsCounted() {
    try (LoggedLines log = new LoggedLines(ClientLog.NAME)) {
      try (ClientLog client = new ClientLog(new LineLimit(() -> 0))) { // no ten seconds are over
        for (int i = 0; i < 1_000; i++) {
          EmbeddedChannel channel = new EmbeddedChannel(new ConnectionErrors(client));
          channel.pipeline().fireExceptionCaught(new DecoderException("bad"));
        }
      }
      List<String> lines = log.lines();
      assertEquals(6, lines.size(), lines.toString());
      assertEquals(
          "more lines were left out: count=995, kind=\"message cannot be read\", from=embedded",
          lines.get(5));
    }
  }

  private static String logged(Exception error) {
    try (LoggedLines log = new LoggedLines(ClientLog.NAME);
        ClientLog client = new ClientLog()) {
      EmbeddedChannel channel = new EmbeddedChannel(new ConnectionErrors(client));
      channel.pipeline().fireExceptionCaught(error);
      assertFalse(channel.isOpen(), "the connection is closed");
      log.events().forEach(event -> assertNull(event.getThrowableProxy()));
      return String.join("|", log.lines());
    }
  }
}
