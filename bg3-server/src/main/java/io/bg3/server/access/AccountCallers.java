package io.bg3.server.access;

import io.bg3.server.guard.Callers;
import io.bg3.server.guard.Intake;
import io.bg3.server.metrics.ServerMeters;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Says whose a request is, as the users are now: a new role holds from the user's next request on,
 * and a user who was removed has the next request refused and the connection closed. And writes
 * verdicts to the audit log.
 *
 * <p>Threads: any.
 */
public final class AccountCallers implements Callers {
  /** Set on a connection while the request at hand must not write, whoever sent it. */
  public static final AttributeKey<Boolean> READS_ONLY = AttributeKey.valueOf("bg3.reads.only");

  /** The role of a user that is not there any more, in the audit log. */
  private static final String REMOVED = "removed";

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
    AuthenticatedUser login = channel.attr(StateKey.AUTHENTICATED_USER).get();
    Optional<Account> account = account(channel);
    String name = login == null ? Account.ANYBODY.getName() : login.getName();
    String role = account.map(known -> known.role().text()).orElse(REMOVED);
    access.audit().request(name, role, channel, via, request, problem);
    if (account.isEmpty()) { // the answer is written, and nothing else may come by this connection
      Intake.closeAfterAnswers(channel);
    }
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
        .map(Account::new);
  }
}
