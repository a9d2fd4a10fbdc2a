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

/** Hashes passwords with BCrypt and verifies them. Threads: any; without state. */
final class Passwords {
  /** The shortest password, in characters, so that no password is empty by mistake. */
  static final int LEAST = 8;

  /** The longest password, in bytes of UTF-8; BCrypt ignores any further byte. */
  static final int MOST = 72;

  /**
   * The cost of new hashes. Verifying one takes about 60 ms of CPU time, so a login that queues
   * behind a hundred guesses waits less than ten seconds.
   */
  private static final int COST = 10;

  /** The highest cost that a file may contain; a higher one occupies a thread for minutes. */
  private static final int HIGHEST_COST = 16;

  private static final Pattern HASH = Pattern.compile("\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}");

  private Passwords() {}

  /**
   * Hashes a new password with a new salt.
   *
   * @throws IllegalArgumentException if the password is too short or too long
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

  /** Whether the password matches the hash. The cost of the hash determines how long this takes. */
  static boolean matches(byte[] password, String hash) {
    boolean possible = password.length <= MOST;
    byte[] tried = possible ? password : Arrays.copyOf(password, MOST);
    return BCrypt.verifyer().verify(tried, hash.getBytes(StandardCharsets.US_ASCII)).verified
        && possible;
  }

  /**
   * The cost of a hash, which is the base-2 logarithm of its rounds; -1 if it is not a BCrypt hash.
   */
  static int cost(String hash) {
    Matcher matcher = HASH.matcher(hash);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
  }

  /**
   * Checks a hash from a file.
   *
   * @throws IllegalArgumentException if it is not a BCrypt hash of an accepted cost
   */
  static void requireHash(String hash) {
    int cost = cost(hash);
    if (cost < 4 || cost > HIGHEST_COST) {
      throw new IllegalArgumentException(
          "not a BCrypt hash of a cost between 4 and " + HIGHEST_COST + ": cost=" + cost);
    }
  }

  /** A hash without a known password, for logins of unknown users to take as long as others. */
  static String nobodys(int cost) {
    byte[] unknown = new byte[32];
    new SecureRandom().nextBytes(unknown);
    return new String(BCrypt.withDefaults().hash(cost, unknown), StandardCharsets.US_ASCII);
  }

  /** Encodes a password and clears the intermediate buffer. */
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
