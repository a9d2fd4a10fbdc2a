package io.bg3.server.access;

import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;

/** A login by the {@code Authorization} header of a request: Basic, RFC 7617, in UTF-8. */
public final class HttpLogin {
  private static final String SCHEME = "Basic ";
  private static final String VIA = "http";

  private final Access access;

  /** Logins of a server that has users. */
  public HttpLogin(Access access) {
    this.access = access;
  }

  /**
   * Logs a request in; its connection then belongs to the user until the next request.
   *
   * @param header the header, null if there is none
   * @return done when it is known, with what to tell who is refused; empty if he is let in
   */
  public CompletionStage<Optional<String>> of(ChannelHandlerContext context, String header) {
    context.channel().attr(StateKey.AUTHENTICATED_USER).set(null);
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return refused("this server asks who you are: Basic authentication is missing");
    }
    byte[] plain;
    try {
      plain = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
    } catch (IllegalArgumentException e) {
      return refused("the header Authorization is not Base64");
    }
    int colon = indexOfColon(plain);
    if (colon <= 0) {
      return refused("the header Authorization has no name and password");
    }
    String name = new String(plain, 0, colon, StandardCharsets.UTF_8);
    byte[] password = Arrays.copyOfRange(plain, colon + 1, plain.length);
    return access
        .logins()
        .orElseThrow()
        .login(name, password, LoginHandler.address(context))
        .thenApply(login -> finish(context, name, login));
  }

  private Optional<String> finish(ChannelHandlerContext context, String name, Login login) {
    if (login.account().isEmpty()) {
      access.audit().login(name, context.channel(), VIA, login); // each request says who is let in
      return Optional.of("login refused: " + login.problem());
    }
    context.channel().attr(StateKey.AUTHENTICATED_USER).set(login.account().get());
    return Optional.empty();
  }

  private static CompletionStage<Optional<String>> refused(String problem) {
    return CompletableFuture.completedFuture(Optional.of(problem));
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
