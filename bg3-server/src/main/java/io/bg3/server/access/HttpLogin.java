package io.bg3.server.access;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;

/**
 * A login by the {@code Authorization} header of a request: Basic, RFC 7617, in UTF-8. A connection
 * that sends the header again with which it has logged in does not wait for its turn again.
 *
 * <p>Threads: the event loop of the connection.
 */
public final class HttpLogin {
  private static final String SCHEME = "Basic ";
  private static final String VIA = "http";
  private static final AttributeKey<Last> LAST = AttributeKey.valueOf("bg3.http.login");

  /** The last login of a connection. */
  private record Last(String digest, Account account) {}

  /**
   * The refusal of a request without a login.
   *
   * @param pauseMillis how long to hold that answer back
   */
  public record Refused(String problem, long pauseMillis) {}

  private final Logins logins;
  private final AuditLog audit;

  /** Logins of a server that has users. */
  public HttpLogin(Access access) {
    this.logins = access.logins().orElseThrow();
    this.audit = access.audit();
  }

  /**
   * Logs a request in; its connection then belongs to the user until the next request.
   *
   * @param header the header, null if there is none
   * @param then told the refusal, empty if the user is let in; in the connection's event loop, also
   *     if the connection is closed by then
   */
  public void of(ChannelHandlerContext context, String header, Consumer<Optional<Refused>> then) {
    Channel channel = context.channel();
    channel.attr(StateKey.AUTHENTICATED_USER).set(null);
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      refuse(then, "this server asks who you are: Basic authentication is missing");
      return;
    }
    byte[] plain;
    try {
      plain = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
    } catch (IllegalArgumentException e) {
      refuse(then, "the header Authorization is not Base64");
      return;
    }
    int colon = indexOfColon(plain);
    if (colon <= 0) {
      refuse(then, "the header Authorization has no name and password");
      return;
    }
    String name = new String(plain, 0, colon, StandardCharsets.UTF_8);
    byte[] password = Arrays.copyOfRange(plain, colon + 1, plain.length);
    String digest = logins.digest(name, password);
    login(context, new Credentials(name, password), digest)
        .thenAccept(
            login -> context.executor().execute(() -> then.accept(finish(channel, digest, login))));
  }

  private CompletionStage<Login> login(
      ChannelHandlerContext context, Credentials credentials, String digest) {
    Last last = context.channel().attr(LAST).get();
    if (last != null && Logins.isSame(last.digest, digest)) {
      Optional<Account> account = logins.users().account(last.account);
      if (account.isPresent()) {
        return CompletableFuture.completedFuture(Login.as(account.get()));
      }
    }
    Channel channel = context.channel();
    return logins.login(
        credentials, LoginClient.of(channel, outcome -> auditRefused(channel, outcome)));
  }

  /** A login that succeeds is not noted: each of its requests is. */
  private void auditRefused(Channel channel, Login outcome) {
    if (outcome.account().isEmpty()) {
      audit.login(channel, VIA, outcome);
    }
  }

  private static Optional<Refused> finish(Channel channel, String digest, Login login) {
    if (login.account().isEmpty()) {
      return Optional.of(new Refused("login refused: " + login.problem(), login.pauseMillis()));
    }
    channel.attr(LAST).set(new Last(digest, login.account().get()));
    channel.attr(StateKey.AUTHENTICATED_USER).set(login.account().get());
    return Optional.empty();
  }

  private static void refuse(Consumer<Optional<Refused>> then, String problem) {
    then.accept(Optional.of(new Refused(problem, 0)));
  }

  private static int indexOfColon(byte[] plain) {
    for (int i = 0; i < plain.length; i++) {
      if (plain[i] == ':') {
        return i;
      }
    }
    return -1;
  }
}
