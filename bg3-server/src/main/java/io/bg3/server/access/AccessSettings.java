package io.bg3.server.access;

import io.bg3.server.dispatch.OwnerLimits;
import io.bg3.server.log.RotatedFile.Retention;
import io.bg3.server.request.ShareLimits;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a server that control access: users, TLS, host names, the share of one client,
 * and the logs.
 *
 * @param users the file of users; empty for a server that accepts every client
 * @param keystore the keystore with the key and certificate for TLS; empty for plain connections
 * @param password the password of the keystore
 * @param hosts names, in lower case, that the server accepts in a Host header in addition to its
 *     own
 * @param loginMillis the longest time that a WebSocket client takes to log in, in milliseconds
 * @param shares the part of connections and sessions that one client may take
 * @param queries what the queries of a user may take that has no limits of its own
 * @param audit the file of the audit log; empty if the logback configuration decides
 * @param auditRetention how long the server keeps files of the audit log
 * @param log the file of the log; empty if the logback configuration decides
 * @param logRetention how long the server keeps files of the log
 */
public record AccessSettings(
    Optional<Path> users,
    Optional<Path> keystore,
    String password,
    Set<String> hosts,
    long loginMillis,
    ShareLimits shares,
    OwnerLimits queries,
    Optional<Path> audit,
    Retention auditRetention,
    Optional<Path> log,
    Retention logRetention) {

  /**
   * Whether the server may listen on an address that other machines reach: it has users and TLS.
   */
  public boolean isFitForOthers() {
    return users.isPresent() && keystore.isPresent();
  }

  /** Leaves out the password, so that it does not get into a log. */
  @Override
  public String toString() {
    return "users=" + users + ", keystore=" + keystore + ", audit=" + audit + ", log=" + log;
  }
}
