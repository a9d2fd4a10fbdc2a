package io.bg3.server.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Slows down clients that try passwords: the answer to a login that failed is held back for a pause
 * which grows with the failures of the address with the name, and of the address with any name. A
 * right password never waits for a pause, so that nobody is shut out by the guesses of another; a
 * client gets no answer sooner than the pause allows, and has one attempt on each connection.
 *
 * <ul>
 *   <li>H1: three failures of an address with a name are free of a pause, and twenty of an address;
 *       then it is a second, two, four, eight, ten.
 *   <li>H2: failures are forgotten ten minutes after the last. A success does not clear them: it
 *       may be another client's behind the same address.
 * </ul>
 *
 * <p>Threads: any.
 */
final class LoginThrottle {
  private static final int FREE_OF_NAME = 3;
  private static final int FREE_OF_ADDRESS = 20;
  private static final long FIRST_MILLIS = 1_000;
  private static final int DOUBLINGS = 4;
  private static final long MOST_MILLIS = 10_000;
  private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Those that failed longest ago are forgotten first. */
  private static final int REMEMBERED = 10_000;

  private static final class Failures {
    int count;
    long last;
  }

  private final LongSupplier nanos;
  private final Map<LoginKey, Failures> names = bounded();
  private final Map<String, Failures> addresses = bounded();

  LoginThrottle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  private static <K> Map<K, Failures> bounded() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, Failures> eldest) {
        return size() > REMEMBERED;
      }
    };
  }

  /** Whether the name has not failed at the address lately, nor many others there. */
  synchronized boolean isClean(LoginKey key) {
    Failures ofAddress = failures(addresses, key.address());
    return failures(names, key) == null
        && (ofAddress == null || ofAddress.count <= FREE_OF_ADDRESS);
  }

  /** Notes a failure and gives the milliseconds that its answer has to be held back. */
  synchronized long failed(LoginKey key) {
    long ofName = pause(count(names, key) - FREE_OF_NAME);
    long ofAddress = pause(count(addresses, key.address()) - FREE_OF_ADDRESS);
    return Math.max(ofName, ofAddress);
  }

  private static long pause(int over) {
    return over <= 0 ? 0 : Math.min(MOST_MILLIS, FIRST_MILLIS << Math.min(over - 1, DOUBLINGS));
  }

  private <K> int count(Map<K, Failures> all, K key) {
    Failures failed = failures(all, key);
    if (failed == null) {
      failed = new Failures();
    }
    all.remove(key);
    all.put(key, failed); // the newest stands last
    failed.last = nanos.getAsLong();
    failed.count = Math.min(failed.count + 1, Integer.MAX_VALUE - 1);
    return failed.count;
  }

  private <K> Failures failures(Map<K, Failures> all, K key) {
    Failures failed = all.get(key);
    if (failed != null && nanos.getAsLong() - failed.last >= FORGOTTEN_NANOS) {
      all.remove(key);
      return null;
    }
    return failed;
  }
}
