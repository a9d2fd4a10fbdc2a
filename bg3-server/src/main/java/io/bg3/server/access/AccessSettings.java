package io.bg3.server.access;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a server is told who may come in.
 *
 * @param users the file of the users; empty if nobody is asked who he is
 * @param keystore the key and certificate of TLS; empty for plain connections
 * @param password of the keystore
 * @param audit where the audit log goes; empty for wherever logback says
 */
public record AccessSettings(
    Optional<Path> users, Optional<Path> keystore, String password, Optional<Path> audit) {

  /** Whether other machines may reach such a server: it asks them who they are, and encrypts. */
  public boolean isFitForOthers() {
    return users.isPresent() && keystore.isPresent();
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "users=" + users + ", keystore=" + keystore + ", audit=" + audit;
  }
}
