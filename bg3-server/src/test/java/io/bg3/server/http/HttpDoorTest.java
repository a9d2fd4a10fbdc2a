package io.bg3.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.access.Access;
import io.bg3.server.access.AuditLog;
import io.bg3.server.access.BrowserRules;
import io.bg3.server.access.Logins;
import io.bg3.server.access.Readiness;
import io.bg3.server.access.Role;
import io.bg3.server.access.User;
import io.bg3.server.access.Users;
import io.bg3.server.access.UsersFile;
import io.bg3.server.answer.Admission;
import io.bg3.server.dispatch.OwnerLimits;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in by HTTP over channels in memory. */
class HttpDoorTest {
  private static final int FREE_FAILURES = 3;

  @TempDir private Path directory;

  @Test
  void aRefusalThatIsHeldBackEndsWithItsConnection() throws Exception {
    UsersFile users = new UsersFile(directory.resolve("users"));
    users.put(User.of("ada", Role.WRITER, "ada-secret".toCharArray()));
    AuditLog audit = new AuditLog(false);
    try (Logins logins = new Logins(Users.open(users), audit)) {
      Access access =
          new Access(
              Optional.of(logins),
              audit,
              new BrowserRules("::1", Set.of(), true),
              OwnerLimits.NONE);
      for (int i = 0; i <= FREE_FAILURES; i++) {
        EmbeddedChannel channel =
            new EmbeddedChannel(new HttpAccessHandler(access, new Readiness(), new Admission()));
        channel.pipeline().fireChannelRead(request("ada:guess" + i));
        awaitCompared(channel);
        boolean isHeldBack = channel.outboundMessages().isEmpty();
        assertEquals(i == FREE_FAILURES, isHeldBack);
        if (isHeldBack) {
          assertTrue(channel.runScheduledPendingTasks() > 0, "a refusal is scheduled");
          channel.close().syncUninterruptibly();
        }
        assertEquals(-1, channel.runScheduledPendingTasks());
        channel.finishAndReleaseAll();
      }
    }
  }

  private static void awaitCompared(EmbeddedChannel channel) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    while (!channel.hasPendingTasks() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertTrue(channel.hasPendingTasks(), "the password has been compared");
    channel.freezeTime();
    channel.runPendingTasks();
  }

  private static FullHttpRequest request(String credentials) {
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, HttpAccessHandler.PATH);
    byte[] plain = credentials.getBytes(StandardCharsets.UTF_8);
    request
        .headers()
        .set(HttpHeaderNames.HOST, "localhost")
        .set(HttpHeaderNames.AUTHORIZATION, "Basic " + Base64.getEncoder().encodeToString(plain));
    return request;
  }
}
