package io.bg3.server.access;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers wrong passwords as keyed digests, so that a client that retries an outdated password
 * costs one BCrypt comparison instead of one per attempt.
 *
 * <p>Threads: any; its monitor guards the map.
 */
final class RejectedPasswords {
  /** The most digests; the least recently used is forgotten first. */
  private static final int REMEMBERED = 10_000;

  private final Map<String, String> hashes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Whether the password with this digest is known not to match the hash. */
  synchronized boolean contains(String digest, String hash) {
    return hash.equals(hashes.get(digest));
  }

  /** Remembers that the password with this digest does not match the hash. */
  synchronized void add(String digest, String hash) {
    hashes.put(digest, hash);
  }
}
