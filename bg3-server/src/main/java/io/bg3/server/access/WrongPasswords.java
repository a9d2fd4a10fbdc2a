package io.bg3.server.access;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Passwords that were found to be wrong, as keyed digests: a client that has an old password and
 * tries it again and again costs one comparison of hashes.
 *
 * <p>Threads: any.
 */
final class WrongPasswords {
  /** Those that were not tried for the longest time are forgotten first. */
  private static final int REMEMBERED = 10_000;

  private final Map<String, String> hashes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Whether the password of this digest was compared with this hash, and was wrong. */
  synchronized boolean contains(String digest, String hash) {
    return hash.equals(hashes.get(digest));
  }

  synchronized void add(String digest, String hash) {
    hashes.put(digest, hash);
  }
}
