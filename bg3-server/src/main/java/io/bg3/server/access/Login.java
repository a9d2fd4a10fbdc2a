package io.bg3.server.access;

import java.util.Optional;

/**
 * The outcome of an attempt to log in.
 *
 * @param name that was given, empty if the message had none
 * @param account the user's, if it succeeded
 * @param problem what to tell the client, if not
 * @param pauseMillis how long to hold that answer back
 */
record Login(String name, Optional<Account> account, String problem, long pauseMillis) {
  static Login as(Account account) {
    return new Login(account.getName(), Optional.of(account), "", 0);
  }

  static Login refused(String name, String problem) {
    return refused(name, problem, 0);
  }

  static Login refused(String name, String problem, long pauseMillis) {
    return new Login(name, Optional.empty(), problem, pauseMillis);
  }
}
