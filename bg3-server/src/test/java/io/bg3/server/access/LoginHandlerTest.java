package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in over a channel in memory that is closed before the password has been checked. */
class LoginHandlerTest {
  @TempDir private Path directory;

  @Test
  void aConnectionThatClosesDuringItsLoginIsNoError() throws Exception {
    byte[] credentials = "\0ada\0ada-secret".getBytes(StandardCharsets.UTF_8);
    RequestMessage answer =
        RequestMessage.build(Tokens.OPS_AUTHENTICATION)
            .addArg(Tokens.ARGS_SASL, Base64.getEncoder().encodeToString(credentials))
            .create();
    try (Logins logins = new Logins(Users.open(TestUsers.write(directory.resolve("users"))))) {
      LoginHandler handler = new LoginHandler(logins, new AuditLog(false));
      EmbeddedChannel channel = new EmbeddedChannel(handler);
      channel.writeInbound(RequestMessage.build(Tokens.OPS_EVAL).create());
      ChannelHandlerContext context = channel.pipeline().context(handler);
      channel.close().sync();
      handler.channelRead(context, answer);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!channel.hasPendingTasks() && System.nanoTime() < deadline) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertTrue(channel.hasPendingTasks(), "the password has been checked");
      channel.runPendingTasks();
      channel.checkException();
      assertNull(channel.readInbound());
    }
  }
}
