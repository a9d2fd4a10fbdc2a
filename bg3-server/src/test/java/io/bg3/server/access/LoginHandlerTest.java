package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.guard.Messages;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in over channels in memory. */
class LoginHandlerTest {
  private static final long TIMEOUT_MILLIS = 600_000;
  private static final AnswerFormats FORMATS =
      new AnswerFormats(
          Map.of(), new GraphBinaryMessageSerializerV1(), new GraphSONMessageSerializerV3());

  @TempDir private Path directory;
  private Logins logins;
  private LoginHandler handler;
  private EmbeddedChannel channel;

  @BeforeEach
  void open() throws IOException {
    AuditLog audit = new AuditLog(true);
    logins = new Logins(Users.open(TestUsers.write(directory.resolve("users"))), audit);
    handler = new LoginHandler(logins, audit, FORMATS, TIMEOUT_MILLIS);
    channel = new EmbeddedChannel(handler);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    logins.close();
  }

  @Test
  void requestsWaitAsBytesAndGoOnInTheirOrder() throws Exception {
    List<WebSocketFrame> requests = new ArrayList<>();
    for (int i = 0; i < LoginHandler.WAITING; i++) {
      requests.add(request("g.V(" + i + ")"));
      channel.writeInbound(requests.get(i));
      assertNull(channel.readInbound());
    }
    assertEquals(ResponseStatusCode.AUTHENTICATE, answer());
    channel.pipeline().fireChannelRead(login("ada", "ada-secret"));
    awaitChecked();
    for (WebSocketFrame request : requests) {
      WebSocketFrame passed = channel.readInbound();
      assertSame(request, passed);
      assertEquals(1, passed.refCnt());
      passed.release();
    }
    assertEquals("ada", channel.attr(StateKey.AUTHENTICATED_USER).get().getName());
    assertNull(channel.pipeline().get(LoginHandler.class));
    WebSocketFrame next = request("g.V()");
    channel.writeInbound(next);
    assertSame(next, channel.readInbound());
    next.release();
  }

  @Test
  void moreThanADriverSendsBeforeTheLoginIsRefused() {
    List<WebSocketFrame> requests = new ArrayList<>();
    for (int i = 0; i <= LoginHandler.WAITING; i++) {
      requests.add(request("g.V()"));
      channel.writeInbound(requests.get(i));
    }
    assertClosed(requests);
  }

  @Test
  void requestsOfAnySizeWait() {
    List<WebSocketFrame> requests = new ArrayList<>();
    for (int i = 0; i < LoginHandler.WAITING; i++) {
      requests.add(request("'" + "x".repeat(100_000)));
      channel.writeInbound(requests.get(i));
    }
    assertTrue(channel.isOpen());
    requests.add(request("g.V()"));
    channel.writeInbound(requests.get(LoginHandler.WAITING));
    assertClosed(requests);
  }

  @Test
  void aRequestThatCameInPartsWaitsInOnePiece() throws Exception {
    byte[] bytes = Messages.binary(Messages.request("g.V()"));
    CompositeByteBuf parts = Unpooled.compositeBuffer(bytes.length);
    for (byte one : bytes) {
      parts.addComponent(true, Unpooled.wrappedBuffer(new byte[] {one}));
    }
    channel.writeInbound(new BinaryWebSocketFrame(parts));
    assertEquals(0, parts.refCnt());
    assertEquals(ResponseStatusCode.AUTHENTICATE, answer());
    channel.pipeline().fireChannelRead(login("ada", "ada-secret"));
    awaitChecked();
    WebSocketFrame passed = channel.readInbound();
    assertEquals(Unpooled.wrappedBuffer(bytes), passed.content());
    passed.release();
  }

  @Test
  void aLoginIsNotLarge() {
    WebSocketFrame login = login("ada", "x".repeat(10_000));
    channel.writeInbound(login);
    assertClosed(List.of(login));
  }

  @Test
  void aFailureIsAnsweredAndEndsTheConnection() throws Exception {
    channel.writeInbound(request("g.V()"));
    assertEquals(ResponseStatusCode.AUTHENTICATE, answer());
    channel.pipeline().fireChannelRead(login("ada", "wrong"));
    awaitChecked();
    assertEquals(ResponseStatusCode.UNAUTHORIZED, answer());
    assertEquals(ResponseStatusCode.UNAUTHORIZED, answer());
    assertFalse(channel.isOpen());
    assertNull(channel.readInbound());
  }

  @Test
  void theAnswerToAGuessIsHeldBack() throws Exception {
    for (int i = 0; i < 4; i++) {
      EmbeddedChannel guesser =
          new EmbeddedChannel(
              new LoginHandler(logins, new AuditLog(false), FORMATS, TIMEOUT_MILLIS));
      guesser.pipeline().fireChannelRead(login("ada", "wrong" + i));
      awaitChecked(guesser);
      assertEquals(i < 3, guesser.outboundMessages().size() == 1, "guess " + i);
      assertEquals(i >= 3, guesser.isOpen());
      guesser.advanceTimeBy(1_001, TimeUnit.MILLISECONDS);
      guesser.runScheduledPendingTasks();
      assertEquals(1, guesser.outboundMessages().size());
      assertFalse(guesser.isOpen());
    }
  }

  @Test
  void aConnectionThatDoesNotLogInIsClosed() {
    channel.freezeTime();
    channel
        .pipeline()
        .fireUserEventTriggered(
            new WebSocketServerProtocolHandler.HandshakeComplete("/gremlin", null, null));
    WebSocketFrame request = request("g.V()");
    channel.writeInbound(request);
    channel.advanceTimeBy(TIMEOUT_MILLIS - 1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertTrue(channel.isOpen());
    channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertClosed(List.of(request));
  }

  @Test
  void aConnectionThatClosesDuringItsLoginIsNoErrorAndItsGuessIsAudited() throws Exception {
    try (AuditedLines audit = new AuditedLines()) {
      channel.writeInbound(request("g.V()"));
      ChannelHandlerContext context = channel.pipeline().context(handler);
      channel.close().sync();
      handler.channelRead(context, login("ada", "guess"));
      awaitChecked();
      channel.checkException();
      assertNull(channel.readInbound());
      assertEquals(1, audit.lines().size());
      assertTrue(
          audit.lines().get(0).startsWith("login user=\"ada\" from="), audit.lines().toString());
      assertTrue(audit.lines().get(0).contains(" outcome=refused "), audit.lines().toString());
    }
  }

  private void assertClosed(List<WebSocketFrame> sent) {
    assertFalse(channel.isOpen());
    ResponseMessage last = null;
    for (Object out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      last = (ResponseMessage) out;
    }
    assertEquals(ResponseStatusCode.UNAUTHORIZED, last.getStatus().getCode());
    for (WebSocketFrame frame : sent) {
      assertEquals(0, frame.refCnt());
    }
  }

  private ResponseStatusCode answer() {
    ResponseMessage answer = channel.readOutbound();
    return answer.getStatus().getCode();
  }

  /** Logins are sent by the pipeline: writeInbound would run the task that this waits for. */
  private void awaitChecked() throws InterruptedException {
    awaitChecked(channel);
  }

  private static void awaitChecked(EmbeddedChannel channel) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    while (!channel.hasPendingTasks() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertTrue(channel.hasPendingTasks(), "the password has been checked");
    channel.freezeTime();
    channel.runPendingTasks();
  }

  private static WebSocketFrame request(String query) {
    return frame(Messages.request(query));
  }

  private static WebSocketFrame login(String name, String password) {
    byte[] plain = ("\0" + name + "\0" + password).getBytes(StandardCharsets.UTF_8);
    return frame(
        RequestMessage.build(Tokens.OPS_AUTHENTICATION)
            .addArg(Tokens.ARGS_SASL, Base64.getEncoder().encodeToString(plain))
            .create());
  }

  private static WebSocketFrame frame(RequestMessage request) {
    return new BinaryWebSocketFrame(Unpooled.wrappedBuffer(Messages.binary(request)));
  }
}
