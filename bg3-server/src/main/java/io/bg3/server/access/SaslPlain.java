package io.bg3.server.access;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decodes a SASL PLAIN message (RFC 4616): authorization id, NUL, name, NUL, password. Threads:
 * any; without state.
 */
final class SaslPlain {
  /** The longest message, in bytes. */
  private static final int LONGEST = 1_024;

  private SaslPlain() {}

  /** Decodes a message; empty if it is malformed, or asks to act as another user. */
  static Optional<Credentials> of(byte[] message) {
    int first = indexOf(message, 0);
    int second = first < 0 ? -1 : indexOf(message, first + 1);
    if (message.length > LONGEST || second < 0 || indexOf(message, second + 1) >= 0) {
      return Optional.empty();
    }
    String as = new String(message, 0, first, StandardCharsets.UTF_8);
    String name = new String(message, first + 1, second - first - 1, StandardCharsets.UTF_8);
    if (name.isEmpty() || !(as.isEmpty() || as.equals(name))) {
      return Optional.empty();
    }
    return Optional.of(
        new Credentials(name, Arrays.copyOfRange(message, second + 1, message.length)));
  }

  private static int indexOf(byte[] message, int from) {
    for (int i = from; i < message.length; i++) {
      if (message[i] == 0) {
        return i;
      }
    }
    return -1;
  }
}
