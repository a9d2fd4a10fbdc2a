package io.bg3.server.access;

import io.netty.channel.Channel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that have logged in, and the end of those whose user was removed or has another
 * password since: a client with the old one may hold a connection. Once a second a thread reads the
 * users if their file has changed, and looks through the connections. A connection's transaction is
 * rolled back as that of any connection that closes.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for a connection to be closed
final class LoggedInConnections implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedInConnections.class);
  private static final long LOOK_MILLIS = 1_000;

  private final Users users;
  private final AuditLog audit;
  private final Map<Channel, Account> connections = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          new BasicThreadFactory.Builder().namingPattern("bg3-users").daemon(true).build());

  LoggedInConnections(Users users, AuditLog audit) {
    this.users = users;
    this.audit = audit;
    timer.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  void add(Channel connection, Account account) {
    connections.put(connection, account);
    connection.closeFuture().addListener(closed -> connections.remove(connection));
  }

  private void look() {
    try {
      users.refresh();
      endRemoved();
      audit.summarise();
    } catch (RuntimeException e) {
      LOG.warn("cannot check for removed users: {}", e.toString());
    }
  }

  /** Closes the connections whose login would not succeed any more. */
  void endRemoved() {
    connections.forEach(
        (connection, account) -> {
          String problem =
              users
                  .user(account.getName())
                  .map(user -> account.isOf(user) ? "" : "the user's password was changed")
                  .orElse("the user was removed");
          if (!problem.isEmpty() && connections.remove(connection) != null) {
            audit.ended(account.getName(), connection, problem);
            connection.close();
          }
        });
  }

  @Override
  public void close() {
    timer.shutdownNow();
    audit.summariseRest();
  }
}
