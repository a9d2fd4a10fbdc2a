package io.bg3.server.access;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;

/**
 * Finds out whether somebody is who he says he is.
 *
 * <ul>
 *   <li>L1: hashes are compared in threads of their own, two at most, and few wait for them: who
 *       tries passwords takes time from others who log in, and none from queries.
 *   <li>L2: a name that is not there takes as long as one that is, and gets the same answer.
 *   <li>L3: after some failures the {@link LoginThrottle} lets nothing through for a while, right
 *       passwords included.
 *   <li>L4: a password that was right is remembered as a keyed digest, so that a client that logs
 *       in with every request does not wait each time. The digest is asked without L1 only where
 *       nothing has failed lately and nothing else is being tried, so that it is no faster way to
 *       guess.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class Logins implements AutoCloseable {
  private static final int THREADS = 2;
  private static final int WAITING = 64;
  private static final String MAC = "HmacSHA256";

  /** A hash and the digest of the password that was found to be its. */
  private record Known(String hash, String digest) {}

  private final Users users;
  private final LoginThrottle throttle;
  private final ThreadPoolExecutor checks;
  private final SecretKeySpec key;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<LoginThrottle.Key, Integer> pending = new ConcurrentHashMap<>();

  /** Logins of those in a file. */
  public Logins(Users users) {
    this(users, System::nanoTime);
  }

  Logins(Users users, LongSupplier nanos) {
    this.users = users;
    this.throttle = new LoginThrottle(nanos);
    this.checks =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(WAITING),
            new BasicThreadFactory.Builder().namingPattern("bg3-login-%d").daemon(true).build());
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, MAC);
  }

  /** The users as they are now. */
  Users users() {
    return users;
  }

  /**
   * Tries to log in.
   *
   * @param password in UTF-8; cleared when the answer is there
   * @return done when it is known; never exceptionally
   */
  public CompletionStage<Login> login(String name, byte[] password, InetAddress from) {
    LoginThrottle.Key who = new LoginThrottle.Key(from, name);
    if (throttle.isClean(who) && !pending.containsKey(who)) {
      Optional<Account> account = remembered(name, password);
      if (account.isPresent()) {
        return CompletableFuture.completedFuture(Login.as(account.get())); // L4
      }
    }
    CompletableFuture<Login> answer = new CompletableFuture<>();
    pending.merge(who, 1, Integer::sum);
    try {
      checks.execute(() -> answer.complete(finish(who, password)));
    } catch (RejectedExecutionException e) {
      done(who);
      answer.complete(Login.refused("too many are logging in, try again"));
    }
    return answer;
  }

  private Login finish(LoginThrottle.Key who, byte[] password) {
    try {
      return check(who, password);
    } catch (RuntimeException e) {
      return Login.refused("the login failed on the server");
    } finally {
      Arrays.fill(password, (byte) 0);
      done(who);
    }
  }

  private void done(LoginThrottle.Key who) {
    pending.computeIfPresent(who, (same, count) -> count == 1 ? null : count - 1);
  }

  private Login check(LoginThrottle.Key who, byte[] password) {
    long wait = throttle.waitMillis(who); // L3
    if (wait > 0) {
      return Login.refused("too many failed logins, wait: seconds=" + (wait + 999) / 1000);
    }
    Optional<Account> account = remembered(who.name(), password);
    if (account.isEmpty()) {
      Optional<User> user = users.user(who.name());
      String hash = user.map(User::hash).orElseGet(users::nobodys); // L2
      if (Passwords.matches(password, hash) && user.isPresent()) {
        known.put(who.name(), new Known(hash, digest(who.name(), password)));
        account = user.map(found -> new Account(found.name(), found.role()));
      }
    }
    if (account.isEmpty()) {
      throttle.failed(who);
      return Login.refused("user name or password is wrong");
    }
    throttle.succeeded(who);
    return Login.as(account.get());
  }

  private Optional<Account> remembered(String name, byte[] password) {
    Known before = known.get(name);
    if (before == null || !isSame(before.digest, digest(name, password))) {
      return Optional.empty();
    }
    return users
        .user(name)
        .filter(user -> user.hash().equals(before.hash))
        .map(user -> new Account(user.name(), user.role()));
  }

  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  private String digest(String name, byte[] password) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      mac.update(name.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      return HexFormat.of().formatHex(mac.doFinal(password));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new AssertionError("every Java has " + MAC, e);
    }
  }

  @Override
  public void close() {
    checks.shutdownNow();
  }
}
