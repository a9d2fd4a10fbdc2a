package io.bg3.server.access;

import io.bg3.server.guard.Callers;
import io.bg3.server.metrics.ServerMeters;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Says whose a request is, as the users are now: one who was removed, or whose role was changed, is
 * that from his next request on, not from his next login. And writes verdicts to the audit log.
 *
 * <p>Threads: any.
 */
public final class AccountCallers implements Callers {
  /** Set on a connection while the request at hand must not write, whoever sent it. */
  public static final AttributeKey<Boolean> READS_ONLY = AttributeKey.valueOf("bg3.reads.only");

  private final Access access;
  private final ServerMeters meters;
  private final String via;

  /**
   * The callers of an endpoint.
   *
   * @param via what the audit log calls the way requests come
   */
  public AccountCallers(Access access, ServerMeters meters, String via) {
    this.access = access;
    this.meters = meters;
    this.via = via;
  }

  @Override
  public AuthenticatedUser caller(Channel channel) throws AuthorizationException {
    Account account =
        account(channel)
            .orElseThrow(() -> new AuthorizationException("the user is not there any more"));
    boolean readsOnly = Boolean.TRUE.equals(channel.attr(READS_ONLY).get());
    return readsOnly ? new Account(account.getName(), Role.READER) : account;
  }

  @Override
  public void judged(Channel channel, RequestMessage request, String problem) {
    meters.requested(via);
    access
        .audit()
        .request(account(channel).orElse(Account.ANYBODY), channel, via, request, problem);
  }

  /** Where there are users there is an audit log, which is a file. */
  @Override
  public boolean isQuick() {
    return access.logins().isEmpty();
  }

  private Optional<Account> account(Channel channel) {
    if (access.logins().isEmpty()) {
      return Optional.of(Account.ANYBODY);
    }
    AuthenticatedUser login = channel.attr(StateKey.AUTHENTICATED_USER).get();
    return Optional.ofNullable(login)
        .flatMap(known -> access.logins().get().users().user(known.getName()))
        .map(user -> new Account(user.name(), user.role()));
  }
}
