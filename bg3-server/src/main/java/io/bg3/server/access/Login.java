package io.bg3.server.access;

import java.util.Optional;

/**
 * The outcome of an attempt to log in.
 *
 * @param account who it is, if it succeeded
 * @param problem what to tell who tried, if not
 */
public record Login(Optional<Account> account, String problem) {
  static Login as(Account account) {
    return new Login(Optional.of(account), "");
  }

  static Login refused(String problem) {
    return new Login(Optional.empty(), problem);
  }
}
