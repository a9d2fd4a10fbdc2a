package io.bg3.server.access;

import java.util.Optional;

/**
 * The outcome of a login attempt.
 *
 * @param name the name that the client sent; empty if it sent none
 * @param account the user's account if the login succeeded
 * @param problem the message for the client if the login failed
 * @param pauseMillis how long the server delays that message, in milliseconds
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
