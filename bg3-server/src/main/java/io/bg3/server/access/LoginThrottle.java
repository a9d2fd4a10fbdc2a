package io.bg3.server.access;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Slows down who tries passwords: after three failures in a row from one address with one name, the
 * next attempt has to wait a second, then two, four, up to thirty. So one who guesses gets no
 * further, and shuts out nobody who comes from elsewhere.
 *
 * <p>Threads: any.
 */
final class LoginThrottle {
  private static final int FREE = 3;
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int DOUBLINGS = 5;
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final long NANOS_IN_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /** Those that failed longest ago are forgotten first. */
  private static final int REMEMBERED = 10_000;

  /** Where an attempt came from, and for whom. */
  record Key(InetAddress from, String name) {}

  private record Failures(int count, long last) {
    long pause() {
      int over = Math.min(count - FREE, DOUBLINGS);
      return over < 0 ? 0 : Math.min(MOST_NANOS, FIRST_NANOS << over);
    }
  }

  private final LongSupplier nanos;
  private final Map<Key, Failures> failures =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Failures> eldest) {
          return size() > REMEMBERED;
        }
      };

  LoginThrottle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** How many milliseconds the next attempt has to wait, 0 if none. */
  synchronized long waitMillis(Key key) {
    Failures failed = failures.get(key);
    if (failed == null) {
      return 0;
    }
    long since = nanos.getAsLong() - failed.last;
    if (since >= FORGOTTEN_NANOS) {
      failures.remove(key);
      return 0;
    }
    long left = failed.pause() - since;
    return left <= 0 ? 0 : (left + NANOS_IN_MILLI - 1) / NANOS_IN_MILLI;
  }

  /** Whether nothing has failed lately. */
  synchronized boolean isClean(Key key) {
    return !failures.containsKey(key);
  }

  synchronized void failed(Key key) {
    Failures before = failures.remove(key); // the newest stands last
    failures.put(key, new Failures(before == null ? 1 : before.count + 1, nanos.getAsLong()));
  }

  synchronized void succeeded(Key key) {
    failures.remove(key);
  }
}
