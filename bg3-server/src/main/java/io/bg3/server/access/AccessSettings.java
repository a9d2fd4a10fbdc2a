package io.bg3.server.access;

import io.bg3.server.guard.Shares;
import io.bg3.server.log.RotatedFile.Retention;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * How a server is told who may come in, how much one client may take, and where that is written
 * down.
 *
 * @param users the file of the users; empty if nobody is asked who he is
 * @param keystore the key and certificate of TLS; empty for plain connections
 * @param password of the keystore
 * @param hosts names that the server answers to, in lower case, beside those that it knows
 * @param loginMillis how long a WebSocket may take to send its login
 * @param shares how much of connections and sessions one client may take
 * @param audit where the audit log goes; empty for wherever logback says
 * @param auditRetention how long its files are kept
 * @param log where the log goes; empty for wherever logback says
 * @param logRetention how long its files are kept
 */
public record AccessSettings(
    Optional<Path> users,
    Optional<Path> keystore,
    String password,
    Set<String> hosts,
    long loginMillis,
    Shares shares,
    Optional<Path> audit,
    Retention auditRetention,
    Optional<Path> log,
    Retention logRetention) {

  /** Whether other machines may reach such a server: it asks them who they are, and encrypts. */
  public boolean isFitForOthers() {
    return users.isPresent() && keystore.isPresent();
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "users=" + users + ", keystore=" + keystore + ", audit=" + audit + ", log=" + log;
  }
}
