package io.bg3.server.access;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.BCrypt.Version;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Passwords and their BCrypt hashes. */
final class Passwords {
  /** Characters, so that nobody sets an empty one by accident. */
  static final int LEAST = 8;

  /** Bytes in UTF-8: BCrypt does not look at more. */
  static final int MOST = 72;

  /**
   * Of new hashes. A comparison takes 60 ms of a processor: one can be had by each of a hundred
   * clients that guess before the one that knows the password has to wait for ten seconds.
   */
  private static final int COST = 10;

  /** A hash of a higher cost would keep the server busy for minutes. */
  private static final int HIGHEST_COST = 16;

  private static final Pattern HASH = Pattern.compile("\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}");

  private Passwords() {}

  /**
   * Hashes a new password with a new salt.
   *
   * @throws IllegalArgumentException if it is shorter or longer than allowed
   */
  static String hash(char[] password) {
    return hash(password, COST);
  }

  static String hash(char[] password, int cost) {
    byte[] bytes = bytes(password);
    try {
      if (password.length < LEAST || bytes.length > MOST) {
        throw new IllegalArgumentException(
            "the password's length is not allowed: characters="
                + password.length
                + ", least="
                + LEAST
                + ", bytes="
                + bytes.length
                + ", most="
                + MOST);
      }
      return new String(
          BCrypt.with(
                  Version.VERSION_2B,
                  new SecureRandom(),
                  LongPasswordStrategies.strict(Version.VERSION_2B))
              .hash(cost, bytes),
          StandardCharsets.US_ASCII);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /** Whether it is the password of the hash; takes the time that the hash's cost says. */
  static boolean matches(byte[] password, String hash) {
    boolean possible = password.length <= MOST;
    byte[] tried = possible ? password : Arrays.copyOf(password, MOST);
    return BCrypt.verifyer().verify(tried, hash.getBytes(StandardCharsets.US_ASCII)).verified
        && possible;
  }

  /** The logarithm of the rounds of a hash. */
  static int cost(String hash) {
    Matcher matcher = HASH.matcher(hash);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
  }

  /**
   * Checks a hash that was written elsewhere.
   *
   * @throws IllegalArgumentException if it is none
   */
  static void requireHash(String hash) {
    int cost = cost(hash);
    if (cost < 4 || cost > HIGHEST_COST) {
      throw new IllegalArgumentException(
          "not a BCrypt hash of a cost between 4 and " + HIGHEST_COST + ": cost=" + cost);
    }
  }

  /** A hash that nobody knows the password of. */
  static String nobodys(int cost) {
    byte[] unknown = new byte[32];
    new SecureRandom().nextBytes(unknown);
    return new String(BCrypt.withDefaults().hash(cost, unknown), StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(char[] password) {
    ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(password));
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    encoded.clear();
    while (encoded.hasRemaining()) {
      encoded.put((byte) 0);
    }
    return bytes;
  }
}
