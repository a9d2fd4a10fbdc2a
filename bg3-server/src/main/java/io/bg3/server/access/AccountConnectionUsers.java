package io.bg3.server.access;

import io.bg3.server.answer.Admission;
import io.bg3.server.dispatch.OwnerLimits;
import io.bg3.server.metrics.ServerMeters;
import io.bg3.server.request.ConnectionUsers;
import io.bg3.server.request.GraphName;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Finds the account of a connection's user for each request, so that a change of the users takes
 * effect with the next request: a new role applies to it, and the server refuses it and closes the
 * connection if the user was removed. Records the outcome of each check in the audit log.
 *
 * <p>Threads: any.
 */
public final class AccountConnectionUsers implements ConnectionUsers {
  /**
   * The attribute of a connection that makes its current request read-only, whatever the user's
   * role.
   */
  public static final AttributeKey<Boolean> READS_ONLY = AttributeKey.valueOf("bg3.reads.only");

  /** The role in the audit log of a user who was removed. */
  private static final String REMOVED = "removed";

  private final Access access;
  private final Runnable requests;
  private final String via;

  /**
   * Creates the callers of an endpoint.
   *
   * @param via the name of the endpoint in the audit log and the metrics
   */
  public AccountConnectionUsers(Access access, ServerMeters meters, String via) {
    this.access = access;
    this.requests = meters.requests(via);
    this.via = via;
  }

  @Override
  public AuthenticatedUser caller(Channel channel) throws AuthorizationException {
    Account account =
        account(channel).orElseThrow(() -> new AuthorizationException("the user was removed"));
    boolean readsOnly = Boolean.TRUE.equals(channel.attr(READS_ONLY).get());
    return readsOnly ? account.readingOnly() : account;
  }

  @Override
  public void validated(Channel channel, RequestMessage request, String problem) {
    requests.run();
    AuthenticatedUser login = channel.attr(StateKey.AUTHENTICATED_USER).get();
    Optional<Account> account = account(channel);
    String name = login == null ? Account.ANYBODY.getName() : login.getName();
    String role = account.map(known -> known.role(GraphName.of(request)).text()).orElse(REMOVED);
    access.audit().request(name, role, channel, via, request, problem);
    if (account.isEmpty()) { // the response is written; the connection takes no further request
      Admission.closeAfterAnswers(channel);
    }
  }

  @Override
  public OwnerLimits limits(Channel channel) {
    return user(channel).map(User::limits).orElse(UserLimits.NONE).or(access.limits());
  }

  /** False while the audit log takes no lines of event loops, because its disk is slow. */
  @Override
  public boolean isQuick() {
    return access.audit().isQuick();
  }

  @Override
  public boolean recordsFirst() {
    return access.audit().isOn();
  }

  private Optional<Account> account(Channel channel) {
    return access.logins().isEmpty()
        ? Optional.of(Account.ANYBODY)
        : user(channel).map(Account::new);
  }

  /** The user as it is now; empty without users, before the login, or if the user was removed. */
  private Optional<User> user(Channel channel) {
    AuthenticatedUser login = channel.attr(StateKey.AUTHENTICATED_USER).get();
    return access
        .logins()
        .filter(unused -> login != null)
        .flatMap(logins -> logins.users().user(login.getName()));
  }
}
