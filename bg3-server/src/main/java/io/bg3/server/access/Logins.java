package io.bg3.server.access;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a client is the user that it names.
 *
 * <ul>
 *   <li>L1: messages are read and hashes compared in threads of their own, so that clients that try
 *       passwords take no time from queries' threads or those of connections. What waits for a
 *       comparison takes turns by address and name ({@link LoginQueue}); each connection has one
 *       attempt, so the limit of connections bounds what waits. An attempt whose client is gone is
 *       not compared.
 *   <li>L2: a name that is not there takes as long as one that is, and gets the same answer.
 *   <li>L3: the answer to a failure is held back ({@link LoginThrottle}). A right password is
 *       answered at once whatever failed before it, so guesses shut nobody out.
 *   <li>L4: a password that was right is remembered as a keyed digest, so that a client that logs
 *       in with every request does not wait each time. The digest is asked ahead of the turn only
 *       where nothing has failed lately and nothing else is being tried, and a few times a second
 *       elsewhere, so that it is no faster way to guess.
 *   <li>L5: a password that was wrong is remembered as well, and not compared again.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class Logins implements AutoCloseable {
  private static final int THREADS = 2;
  private static final Logger LOG = LoggerFactory.getLogger(Logins.class);
  private static final String MAC = "HmacSHA256";

  /** Addresses and names that have logged in; those that did longest ago are forgotten first. */
  private static final int REMEMBERED = 10_000;

  /** A hash and the digest of the password that was found to be its. */
  private record Known(String hash, String digest) {}

  @SuppressWarnings("ArrayRecordComponent") // cleared when the attempt was made
  private record Attempt(
      LoginKey key, byte[] password, BooleanSupplier isGone, CompletableFuture<Login> answer) {}

  private final Users users;
  private final LoginThrottle throttle;
  private final WrongPasswords wrong = new WrongPasswords();
  private final LoginQueue<Attempt> queue = new LoginQueue<>(); // guarded by itself
  private final ExecutorService readers;
  private final ExecutorService checks;
  private final LoggedIn loggedIn;
  private final SecretKeySpec key;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<LoginKey, Integer> pending = new ConcurrentHashMap<>();
  private final Map<LoginKey, Boolean> succeeded = // guarded by itself
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LoginKey, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Logins of the users in a file. */
  public Logins(Users users, AuditLog audit) {
    this(users, audit, System::nanoTime);
  }

  Logins(Users users, AuditLog audit, LongSupplier nanos) {
    this.users = users;
    this.throttle = new LoginThrottle(nanos);
    this.readers = threads(1, "bg3-login-reader-%d");
    this.checks = threads(THREADS, "bg3-login-%d");
    this.loggedIn = new LoggedIn(users, audit);
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, MAC);
  }

  private static ExecutorService threads(int count, String name) {
    return Executors.newFixedThreadPool(
        count, new BasicThreadFactory.Builder().namingPattern(name).daemon(true).build());
  }

  /** The users as they are now. */
  Users users() {
    return users;
  }

  /** Closes a connection as soon as the user that it has logged in as is not there any more. */
  void watch(Channel connection, Account account) {
    loggedIn.add(connection, account);
  }

  /**
   * Tries to log in with what a message says.
   *
   * @param message reads it, in a thread of its own
   * @param isGone whether the client has gone, so that the attempt need not be made
   * @return done when it is known; never exceptionally
   */
  CompletionStage<Login> login(
      Supplier<Optional<Credentials>> message, InetAddress from, BooleanSupplier isGone) {
    CompletableFuture<Login> answer = new CompletableFuture<>();
    try {
      readers.execute(() -> read(message, from, isGone, answer));
    } catch (RejectedExecutionException e) {
      answer.complete(closed(""));
    }
    return answer;
  }

  private void read(
      Supplier<Optional<Credentials>> message,
      InetAddress from,
      BooleanSupplier isGone,
      CompletableFuture<Login> answer) {
    try {
      Optional<Credentials> credentials = message.get();
      if (credentials.isPresent()) {
        login(credentials.get(), from, isGone).thenAccept(answer::complete);
      } else {
        answer.complete(
            Login.refused("", "a login takes one SASL PLAIN message with a name and a password"));
      }
    } catch (RuntimeException e) {
      answer.complete(Login.refused("", "the login failed on the server"));
    }
  }

  /**
   * Tries to log in.
   *
   * @param credentials the password is cleared when the answer is there
   * @param isGone whether the client has gone, so that the attempt need not be made
   * @return done when it is known; never exceptionally
   */
  CompletionStage<Login> login(Credentials credentials, InetAddress from, BooleanSupplier isGone) {
    LoginKey who = LoginKey.of(from, credentials.name());
    if (mayLook(who)) {
      Optional<Account> account = remembered(credentials.name(), credentials.password());
      if (account.isPresent()) {
        Arrays.fill(credentials.password(), (byte) 0);
        return CompletableFuture.completedFuture(succeed(who, account.get())); // L4
      }
    }
    CompletableFuture<Login> answer = new CompletableFuture<>();
    pending.merge(who, 1, Integer::sum);
    synchronized (queue) {
      queue.add(who, rank(who), new Attempt(who, credentials.password(), isGone, answer));
    }
    try {
      checks.execute(this::checkNext); // whichever attempt has its turn then
    } catch (RejectedExecutionException e) {
      answer.complete(closed(who.name()));
    }
    return answer;
  }

  private static Login closed(String name) {
    return Login.refused(name, "the server is stopping");
  }

  private boolean mayLook(LoginKey who) {
    return throttle.isClean(who) ? !pending.containsKey(who) : throttle.mayLook(who);
  }

  private LoginQueue.Rank rank(LoginKey who) {
    synchronized (succeeded) {
      if (succeeded.containsKey(who)) {
        return LoginQueue.Rank.KNOWN;
      }
    }
    return throttle.isClean(who) ? LoginQueue.Rank.NEW : LoginQueue.Rank.FAILED;
  }

  private void checkNext() {
    Attempt attempt;
    synchronized (queue) {
      attempt = queue.poll();
    }
    LoginKey who = attempt.key;
    Login outcome = Login.refused(who.name(), "the login failed on the server");
    try {
      outcome =
          attempt.isGone.getAsBoolean()
              ? Login.refused(who.name(), "the client was gone before the password was compared")
              : check(who, attempt.password);
    } catch (RuntimeException e) {
      LOG.warn("a login failed on the server: cause={}", e.toString());
    } finally { // also after an Error: a client must not wait for ever
      Arrays.fill(attempt.password, (byte) 0);
      pending.computeIfPresent(who, (same, count) -> count == 1 ? null : count - 1);
      attempt.answer.complete(outcome);
    }
  }

  private Login check(LoginKey who, byte[] password) {
    Optional<Account> account = remembered(who.name(), password);
    if (account.isEmpty()) {
      account = compared(who.name(), password);
    }
    return account.isPresent()
        ? succeed(who, account.get())
        : Login.refused(who.name(), "user name or password is wrong", throttle.failed(who)); // L3
  }

  private Optional<Account> compared(String name, byte[] password) {
    Optional<User> user = users.user(name);
    String hash = user.map(User::hash).orElseGet(users::nobodys); // L2
    String digest = digest(name, password);
    if (wrong.contains(digest, hash)) { // L5
      return Optional.empty();
    }
    if (!Passwords.matches(password, hash) || user.isEmpty()) {
      wrong.add(digest, hash);
      return Optional.empty();
    }
    known.put(name, new Known(hash, digest));
    return user.map(Account::new);
  }

  private Login succeed(LoginKey who, Account account) {
    synchronized (succeeded) {
      succeeded.put(who, true);
    }
    return Login.as(account);
  }

  private Optional<Account> remembered(String name, byte[] password) {
    Known before = known.get(name);
    if (before == null || !isSame(before.digest, digest(name, password))) {
      return Optional.empty();
    }
    return users.user(name).filter(user -> user.hash().equals(before.hash)).map(Account::new);
  }

  static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  /** A keyed digest of a name and a password, of this process only. */
  String digest(String name, byte[] password) {
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
    readers.shutdownNow();
    checks.shutdownNow();
    loggedIn.close();
  }
}
