package io.bg3.server.access;

import io.bg3.server.access.LoginQueue.Rank;
import io.netty.channel.Channel;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
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
 *       passwords take no time from queries' threads or those of connections. After a comparison
 *       for a client that has failed often a thread rests for as long as it has computed, unless
 *       others wait, so that such clients take one processor at most. An attempt that waits for a
 *       comparison takes turns by network, address and name ({@link LoginQueue}); {@value #WAITING}
 *       may wait, which is about ten seconds, and further attempts of those that have the most are
 *       refused. An attempt whose client is gone is not compared.
 *   <li>L2: a name that is not there takes as long as one that is, and gets the same answer.
 *   <li>L3: the answer to a failure is held back ({@link LoginThrottle}), and an address that has
 *       failed often has a comparison each {@value #PACE_MILLIS} ms. A right password is answered
 *       at once also after failures, so guesses shut no user out.
 *   <li>L4: a password that was right is remembered as a keyed digest, so that a client that logs
 *       in with every request does not wait each time. The digest is asked at once where nothing
 *       has failed lately and nothing else is being tried. Elsewhere digests are asked one each
 *       {@value #LOOK_MILLIS} ms for all clients, ahead of the comparisons, so that a right
 *       password passes {@value #LOOKING} guesses in less than ten seconds, and that asking is a
 *       slow way to guess.
 *   <li>L5: a password that was wrong is remembered as well, and not compared again.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class Logins implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Logins.class);

  /** Attempts that wait for a comparison; of 60 ms each, they are done within ten seconds. */
  static final int WAITING = 128;

  /** Attempts that wait for their digest to be asked. */
  static final int LOOKING = 2_048;

  private static final long LOOK_MILLIS = 3;
  private static final long PACE_MILLIS = 70;
  private static final int THREADS = 2;

  /** Of the threads that compare: {@code bin/bg3 server} lets event loops run before them. */
  private static final int COMPARER_PRIORITY = 2;

  /** How long the answer is held back to an attempt that found no room. */
  private static final long NO_ROOM_MILLIS = 1_000;

  private static final String MAC = "HmacSHA256";
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  /** Addresses and names that have logged in; those that did longest ago are forgotten first. */
  private static final int REMEMBERED = 10_000;

  /** A hash and the digest of the password that was found to be its. */
  private record Known(String hash, String digest) {}

  @SuppressWarnings("ArrayRecordComponent") // cleared when the attempt was made
  private record Attempt(
      LoginKey key, byte[] password, LoginClient client, CompletableFuture<Login> answer) {}

  private final Users users;
  private final LoginThrottle throttle;
  private final RejectedPasswords wrong = new RejectedPasswords();
  private final LoginQueue<Attempt> queue = new LoginQueue<>(WAITING); // guarded by itself
  private final LoginQueue<Attempt> looks = new LoginQueue<>(LOOKING); // guarded by itself
  private final ExecutorService readers;
  private final ExecutorService looking;
  private final ExecutorService checks;
  private volatile boolean closed;
  private final LoggedInConnections loggedIn;
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
    this.readers = threads(1, "bg3-login-reader-%d", Thread.NORM_PRIORITY);
    this.looking = threads(1, "bg3-login-look-%d", Thread.NORM_PRIORITY);
    int comparers = comparers(Runtime.getRuntime().availableProcessors());
    this.checks = threads(comparers, "bg3-login-%d", COMPARER_PRIORITY);
    this.loggedIn = new LoggedInConnections(users, audit);
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, MAC);
    for (int i = 0; i < comparers; i++) {
      checks.execute(this::compareNext);
    }
    looking.execute(this::lookNext);
  }

  static int comparers(int processors) {
    return Math.min(THREADS, processors);
  }

  private static ExecutorService threads(int count, String name, int priority) {
    return Executors.newFixedThreadPool(
        count,
        new BasicThreadFactory.Builder()
            .namingPattern(name)
            .priority(priority)
            .daemon(true)
            .build());
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
   * @return done when it is known; never exceptionally
   */
  CompletionStage<Login> login(Supplier<Optional<Credentials>> message, LoginClient client) {
    CompletableFuture<Login> answer = new CompletableFuture<>();
    try {
      readers.execute(() -> read(message, client, answer));
    } catch (RejectedExecutionException e) {
      message.get().ifPresent(unused -> Arrays.fill(unused.password(), (byte) 0)); // lets go of it
      answer.complete(stopping(""));
    }
    return answer;
  }

  private void read(
      Supplier<Optional<Credentials>> message,
      LoginClient client,
      CompletableFuture<Login> answer) {
    Login refused = Login.refused("", "the login failed on the server");
    try {
      Optional<Credentials> credentials = message.get();
      if (credentials.isPresent()) {
        refused = null;
        login(credentials.get(), client).thenAccept(answer::complete);
      } else {
        refused =
            Login.refused("", "a login takes one SASL PLAIN message with a name and a password");
      }
    } catch (RuntimeException e) {
      LOG.warn("a login failed on the server: cause={}", e.toString());
    } finally { // also after an Error: a client must not wait for ever
      if (refused != null) {
        complete(answer, client, refused);
      }
    }
  }

  /**
   * Tries to log in.
   *
   * @param credentials the password is cleared when the answer is there
   * @return done when it is known; never exceptionally
   */
  CompletionStage<Login> login(Credentials credentials, LoginClient client) {
    LoginKey who = LoginKey.of(client.address(), credentials.name());
    CompletableFuture<Login> answer = new CompletableFuture<>();
    if (throttle.isClean(who) && !pending.containsKey(who)) { // L4
      Optional<Account> account = remembered(credentials.name(), credentials.password());
      if (account.isPresent()) {
        Arrays.fill(credentials.password(), (byte) 0);
        complete(answer, client, succeed(who, account.get()));
        return answer;
      }
    }
    pending.merge(who, 1, Integer::sum);
    Attempt attempt = new Attempt(who, credentials.password(), client, answer);
    try {
      readers.execute(() -> add(attempt));
    } catch (RejectedExecutionException e) {
      finish(attempt, stopping(who.name()));
    }
    return answer;
  }

  private void add(Attempt attempt) {
    if (closed) {
      finish(attempt, stopping(attempt.key.name()));
    } else if (!known.containsKey(attempt.key.name()) || !addLook(attempt)) {
      addComparison(attempt);
    }
  }

  private boolean addLook(Attempt attempt) {
    Rank rank = rank(attempt.key);
    synchronized (looks) {
      boolean isRoom = !looks.isFull();
      if (isRoom) {
        looks.add(attempt.key, rank, attempt);
        looks.notifyAll();
      }
      return isRoom;
    }
  }

  private void addComparison(Attempt attempt) {
    Rank rank = rank(attempt.key);
    Optional<Attempt> givenUp;
    synchronized (queue) {
      givenUp = queue.add(attempt.key, rank, attempt);
      queue.notifyAll();
    }
    givenUp.ifPresent(
        one ->
            finish(
                one,
                Login.refused(
                    one.key.name(), "too many logins are waiting: try again", NO_ROOM_MILLIS)));
  }

  private Rank rank(LoginKey who) {
    synchronized (succeeded) {
      if (succeeded.containsKey(who)) {
        return Rank.KNOWN;
      }
    }
    return throttle.isClean(who) ? Rank.NEW : Rank.FAILED;
  }

  private static Login stopping(String name) {
    return Login.refused(name, "the server is stopping");
  }

  /** Asks the digest of one attempt, and goes on. */
  private void lookNext() {
    try {
      look(take(looks));
    } catch (InterruptedException e) {
      return; // the server stops
    } finally {
      goOn(looking, this::lookNext);
    }
  }

  private void look(Attempt attempt) throws InterruptedException {
    LoginKey who = attempt.key;
    if (attempt.client.isGone().getAsBoolean()) {
      finish(attempt, gone(who));
      return;
    }
    Optional<Account> account = Optional.empty();
    try {
      account = remembered(who.name(), attempt.password);
    } finally { // also after an Error: a client must not wait for ever
      if (account.isPresent()) {
        finish(attempt, succeed(who, account.get()));
      } else {
        addComparison(attempt);
      }
    }
    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
  }

  private static Login gone(LoginKey who) {
    return Login.refused(who.name(), "the client was gone before the password was compared");
  }

  /** Compares the password of one attempt, and goes on. */
  private void compareNext() {
    try {
      Attempt attempt = take(queue);
      long begin = System.nanoTime();
      long computed = CPU.getCurrentThreadCpuTime();
      if (compare(attempt).pauseMillis() > 0) {
        rest(begin, CPU.getCurrentThreadCpuTime() - computed);
      }
    } catch (InterruptedException e) {
      return; // the server stops
    } finally {
      goOn(checks, this::compareNext);
    }
  }

  /** A thread that had to wait for a processor has rested already. */
  private void rest(long begin, long computed) throws InterruptedException {
    boolean othersWait;
    synchronized (queue) {
      othersWait = queue.waits(Rank.KNOWN) || queue.waits(Rank.NEW);
    }
    if (!othersWait) {
      TimeUnit.NANOSECONDS.sleep(2 * computed - (System.nanoTime() - begin));
    }
  }

  /** An Error ends a thread, and the pool starts another. */
  private void goOn(ExecutorService in, Runnable next) {
    if (!closed) {
      try {
        in.execute(next);
      } catch (RejectedExecutionException e) {
        return; // was closed meanwhile
      }
    }
  }

  private static Attempt take(LoginQueue<Attempt> from) throws InterruptedException {
    synchronized (from) {
      while (true) {
        long now = System.nanoTime();
        Attempt attempt = from.poll(now);
        if (attempt != null) {
          return attempt;
        }
        long pause = from.pauseNanos(now);
        if (pause == Long.MAX_VALUE) {
          from.wait();
        } else {
          from.wait(TimeUnit.NANOSECONDS.toMillis(pause) + 1);
        }
      }
    }
  }

  private Login compare(Attempt attempt) {
    LoginKey who = attempt.key;
    Login outcome = Login.refused(who.name(), "the login failed on the server");
    try {
      outcome = attempt.client.isGone().getAsBoolean() ? gone(who) : check(who, attempt.password);
    } catch (RuntimeException e) {
      LOG.warn("a login failed on the server: cause={}", e.toString());
    } finally { // also after an Error: a client must not wait for ever
      finish(attempt, outcome);
    }
    return outcome;
  }

  private void finish(Attempt attempt, Login outcome) {
    Arrays.fill(attempt.password, (byte) 0);
    pending.computeIfPresent(attempt.key, (same, count) -> count == 1 ? null : count - 1);
    complete(attempt.answer, attempt.client, outcome);
  }

  private static void complete(CompletableFuture<Login> answer, LoginClient client, Login outcome) {
    try {
      client.audit().accept(outcome);
    } finally {
      answer.complete(outcome);
    }
  }

  private Login check(LoginKey who, byte[] password) {
    Optional<Account> account = remembered(who.name(), password);
    if (account.isPresent()) {
      return succeed(who, account.get());
    }
    Optional<User> user = users.user(who.name());
    String hash = user.map(User::hash).orElseGet(users::nobodys); // L2
    String digest = digest(who.name(), password);
    boolean isKnownToBeWrong = wrong.contains(digest, hash); // L5
    if (!isKnownToBeWrong && Passwords.matches(password, hash) && user.isPresent()) {
      known.put(who.name(), new Known(hash, digest));
      return succeed(who, new Account(user.get()));
    }
    long pauseMillis = throttle.failed(who); // L3
    if (!isKnownToBeWrong) {
      wrong.add(digest, hash);
      pace(who, pauseMillis);
    }
    return Login.refused(who.name(), "user name or password is wrong", pauseMillis);
  }

  private void pace(LoginKey who, long pauseMillis) {
    if (pauseMillis > 0) {
      synchronized (queue) {
        queue.pause(who.address(), System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PACE_MILLIS));
      }
    }
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
    closed = true;
    readers.shutdown(); // what was sent is read, so that its bytes are given back
    looking.shutdownNow();
    checks.shutdownNow();
    refuseAll(looks);
    refuseAll(queue);
    loggedIn.close();
  }

  private void refuseAll(LoginQueue<Attempt> waiting) {
    List<Attempt> all;
    synchronized (waiting) {
      all = waiting.clear();
    }
    all.forEach(attempt -> finish(attempt, stopping(attempt.key.name())));
  }
}
