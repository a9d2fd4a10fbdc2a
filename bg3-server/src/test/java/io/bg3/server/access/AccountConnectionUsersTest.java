package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.dispatch.OwnerLimits;
import io.bg3.server.guard.Messages;
import io.bg3.server.metrics.ServerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks on behalf of a user who is removed meanwhile. */
class AccountConnectionUsersTest {
  @TempDir private Path directory;

  @Test
  void aRemovedUserIsAuditedUnderItsNameAndItsConnectionEnds() throws Exception {
    UsersFile file = TestUsers.write(directory.resolve("users"));
    AuditLog audit = new AuditLog(true);
    Users users = Users.open(file);
    try (Logins logins = new Logins(users, audit);
        AuditedLines lines = new AuditedLines()) {
      AccountConnectionUsers callers =
          new AccountConnectionUsers(
              new Access(
                  Optional.of(logins),
                  audit,
                  new BrowserRules("::1", Set.of(), true),
                  OwnerLimits.NONE),
              new ServerMeters(new SimpleMeterRegistry()),
              "websocket");
      EmbeddedChannel channel = new EmbeddedChannel();
      channel.attr(StateKey.AUTHENTICATED_USER).set(new Account("bob", Role.READER));
      assertEquals(new Account("bob", Role.READER), callers.caller(channel));
      callers.validated(channel, Messages.request("g.V()"), "");
      assertTrue(channel.isOpen());

      file.remove("bob");
      users.refresh();
      assertThrows(AuthorizationException.class, () -> callers.caller(channel));
      callers.validated(channel, Messages.request("g.V().drop()"), "the user is gone");
      channel.runPendingTasks();
      assertFalse(channel.isOpen());
      assertTrue(lines.lines().get(0).startsWith("request user=\"bob\" role=reader "));
      assertTrue(
          lines.lines().get(1).startsWith("request user=\"bob\" role=removed "),
          lines.lines().toString());
    }
  }
}
