package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in with right and wrong passwords, on a clock that stands still unless it is moved. */
class LoginsTest {
  private static final int MOST_BEFORE = 4; // guesses from elsewhere before an honest login
  private static final String WRONG = "user name or password is wrong";

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private UsersFile file;
  private Users users;
  private Logins logins;

  @BeforeEach
  void open() throws IOException {
    file = TestUsers.write(directory.resolve("users"));
    users = Users.open(file);
    logins = new Logins(users, new AuditLog(false), nanos::get);
  }

  @AfterEach
  void close() {
    logins.close();
  }

  @Test
  void whoKnowsThePasswordIsLetInWithHisRole() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertEquals(new Account("ada", Role.WRITER), login("ada", "ada-secret").account().get());
      assertEquals(new Account("bob", Role.READER), login("bob", "bob-secret").account().get());
    }
  }

  @Test
  void aWrongPasswordAndAnUnknownNameGetTheSameAnswer() throws Exception {
    assertEquals(WRONG, login("ada", "bob-secret").problem());
    assertEquals(WRONG, login("eve", "eve-secret").problem());
    assertEquals(WRONG, login("", "").problem());
    assertEquals(WRONG, login("ada", "x".repeat(100)).problem());
    assertEquals(WRONG, login("x".repeat(1_000), "ada-secret").problem());
  }

  @Test
  void anUnknownNameIsComparedWithAHashOfTheSameCost() throws Exception {
    assertEquals(Passwords.cost(users.user("ada").get().hash()), Passwords.cost(users.nobodys()));
  }

  @Test
  void aRightPasswordIsLetInAtOnceHoweverManyFailed() throws Exception {
    for (int i = 0; i < 50; i++) {
      assertEquals(WRONG, login("ada", "wrong" + i).problem());
    }
    assertEquals(10_000, login("ada", "wrong").pauseMillis());
    assertTrue(login("ada", "ada-secret").account().isPresent());
    assertTrue(login("ada", "ada-secret").account().isPresent());
    assertEquals(10_000, login("ada", "another").pauseMillis(), "and the guesser waits on");
  }

  @Test
  void guessesFromOneAddressDelayNobodyElsewhere() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    List<CompletionStage<Login>> guesses = new ArrayList<>();
    for (int i = 0; i < 2; i++) { // both threads are busy with these
      guesses.add(logins.login(credentials("ada", "held"), client(elsewhere(), () -> await(held))));
    }
    AtomicInteger compared = new AtomicInteger();
    Semaphore first = new Semaphore(MOST_BEFORE);
    CountDownLatch asked = new CountDownLatch(1);
    for (int i = 0; i < 200; i++) {
      guesses.add(
          logins.login(
              credentials("ada", "guess" + i),
              client(
                  elsewhere(),
                  () -> { // is asked before each comparison
                    boolean isGone = !first.tryAcquire() && await(asked); // none runs ahead
                    compared.incrementAndGet();
                    return isGone;
                  })));
    }
    AtomicInteger before = new AtomicInteger(-1);
    CompletionStage<Login> honest =
        logins.login(
            credentials("ada", "ada-secret"),
            client(
                InetAddress.getLoopbackAddress(),
                () -> {
                  before.set(compared.get());
                  asked.countDown();
                  return false;
                }));
    get(logins.login(Optional::empty, here())); // so all of them are in the queue
    held.countDown();
    assertTrue(get(honest).account().isPresent());
    assertTrue(before.get() <= MOST_BEFORE, "compared before: " + before.get());
    for (CompletionStage<Login> guess : guesses) {
      assertTrue(get(guess).account().isEmpty());
    }
  }

  @Test
  void theAttemptOfAClientThatIsGoneIsNotCompared() throws Exception {
    Login login =
        get(
            logins.login(
                credentials("ada", "wrong"), client(InetAddress.getLoopbackAddress(), () -> true)));
    assertEquals("the client was gone before the password was compared", login.problem());
    assertEquals("ada", login.name());
    assertEquals(0, login.pauseMillis());
  }

  @Test
  void aPasswordThatWasWrongIsNotComparedAgain() throws Exception {
    file.put(new User("dear", Role.READER, Passwords.hash("dear-secret".toCharArray(), 13)));
    users.refresh();
    String computed = computedForFifty("wrong-one");
    for (int i = 0; i < 4 && !computed.isEmpty(); i++) { // a pause may count as computing
      computed = computedForFifty("wrong-again-" + i);
    }
    assertEquals("", computed);
    file.put(new User("dear", Role.READER, Passwords.hash("wrong-one".toCharArray(), 4)));
    users.refresh();
    assertTrue(login("dear", "wrong-one").account().isPresent(), "it is the right one now");
  }

  /** Gives a wrong password once and fifty times; empty if the fifty take less than ten do. */
  private String computedForFifty(String password) throws Exception {
    long begin = loginNanos();
    assertEquals(WRONG, login("dear", password).problem());
    long once = loginNanos() - begin;
    begin = loginNanos();
    for (int i = 0; i < 50; i++) {
      assertEquals(WRONG, login("dear", password).problem());
    }
    long fifty = loginNanos() - begin;
    return fifty < 10 * once ? "" : "computed once=" + once + ", fifty times=" + fifty;
  }

  @Test
  void aMessageThatIsNoLoginIsRefused() throws Exception {
    Login login = get(logins.login(Optional::empty, here()));
    assertTrue(login.problem().startsWith("a login takes one SASL PLAIN message"));
    login =
        get(
            logins.login(
                () -> {
                  throw new IllegalStateException("unreadable");
                },
                here()));
    assertEquals("the login failed on the server", login.problem());
  }

  @Test
  void aNewPasswordAndARemovedUserHoldFromTheNextLogin() throws Exception {
    assertTrue(login("ada", "ada-secret").account().isPresent());
    file.put(new User("ada", Role.READER, Passwords.hash("another1".toCharArray(), 4)));
    file.remove("bob");
    users.refresh();
    assertEquals(WRONG, login("ada", "ada-secret").problem());
    assertEquals(new Account("ada", Role.READER), login("ada", "another1").account().get());
    assertEquals(WRONG, login("bob", "bob-secret").problem());
  }

  @Test
  void connectionsOfRemovedUsersAndOldPasswordsEnd() throws Exception {
    LoggedInConnections loggedIn = new LoggedInConnections(users, new AuditLog(false));
    EmbeddedChannel adas = new EmbeddedChannel();
    EmbeddedChannel bobs = new EmbeddedChannel();
    EmbeddedChannel eves = new EmbeddedChannel();
    file.put(TestUsers.user("eve", Role.READER));
    users.refresh();
    loggedIn.add(adas, login("ada", "ada-secret").account().get());
    loggedIn.add(bobs, login("bob", "bob-secret").account().get());
    loggedIn.add(eves, login("eve", "eve-secret").account().get());
    loggedIn.endRemoved();
    assertTrue(adas.isOpen() && bobs.isOpen() && eves.isOpen());
    User ada = users.user("ada").get();
    file.put(new User("ada", Role.READER, ada.hash())); // another role holds for each request
    file.put(new User("bob", Role.READER, Passwords.hash("another1".toCharArray(), 4)));
    file.remove("eve");
    users.refresh();
    loggedIn.endRemoved();
    assertTrue(adas.isOpen());
    assertFalse(bobs.isOpen());
    assertFalse(eves.isOpen());
    loggedIn.close();
  }

  @Test
  void aPasswordThatWasRightOncePassesTwoThousandGuessesAtItsNameAndAddress() throws Exception {
    assertTrue(login("ada", "ada-secret").account().isPresent());
    CountDownLatch held = holdComparisons();
    List<CompletionStage<Login>> guesses = new ArrayList<>();
    for (int i = 0; i < Logins.LOOKING - 1; i++) {
      guesses.add(logins.login(credentials("ada", "guess" + i), here()));
    }
    assertTrue(login("ada", "ada-secret").account().isPresent());
    held.countDown();
    for (CompletionStage<Login> guess : guesses) {
      assertTrue(get(guess).account().isEmpty());
    }
  }

  @Test
  void aPasswordThatWasRightOncePassesGuessesAtInventedNames() throws Exception {
    assertTrue(login("ada", "ada-secret").account().isPresent());
    CountDownLatch held = holdComparisons();
    List<CompletionStage<Login>> guesses = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      guesses.add(logins.login(credentials("invented" + i, "guess"), here()));
    }
    assertTrue(login("ada", "ada-secret").account().isPresent());
    held.countDown();
    for (CompletionStage<Login> guess : guesses) {
      assertTrue(get(guess).account().isEmpty());
    }
  }

  @Test
  void attemptsThatFindNoRoomAreRefusedAndThoseOfOtherNamesAreNot() throws Exception {
    CountDownLatch held = holdComparisons();
    List<CompletionStage<Login>> guesses = new ArrayList<>();
    for (int i = 0; i < Logins.WAITING + 100; i++) {
      guesses.add(logins.login(credentials("ada", "guess" + i), here()));
    }
    CompletionStage<Login> honest = logins.login(credentials("bob", "bob-secret"), here());
    int refused = 0;
    while (refused < 101) { // one more gave its place to the honest one
      refused = 0;
      for (CompletionStage<Login> guess : guesses) {
        refused += guess.toCompletableFuture().isDone() ? 1 : 0;
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    Login last = get(guesses.get(guesses.size() - 1));
    assertEquals("too many logins are waiting: try again", last.problem());
    assertEquals(1_000, last.pauseMillis());
    held.countDown();
    assertTrue(get(honest).account().isPresent());
    assertEquals(101, refused);
  }

  @Test
  void theOutcomeIsAuditedBeforeItIsToldAndNotInTheThreadThatAsks() throws Exception {
    List<String> threads = new ArrayList<>();
    for (String password : List.of("ada-secret", "wrong")) {
      CompletableFuture<String> audited = new CompletableFuture<>();
      CompletionStage<Login> login =
          logins.login(
              () -> Optional.of(credentials("ada", password)),
              new LoginClient(
                  InetAddress.getLoopbackAddress(),
                  () -> false,
                  outcome -> audited.complete(Thread.currentThread().getName())));
      get(login);
      assertTrue(audited.isDone());
      threads.add(audited.get());
    }
    assertTrue(threads.stream().allMatch(name -> name.startsWith("bg3-login")), "" + threads);
  }

  /** Event loops and queries come before them where Linux knows the priorities. */
  @Test
  void threadsThatCompareHaveALowPriority() throws Exception {
    CompletableFuture<Integer> priority = new CompletableFuture<>();
    LoginClient client =
        client(
            InetAddress.getLoopbackAddress(),
            () -> {
              priority.complete(Thread.currentThread().getPriority());
              return false;
            });
    assertTrue(get(logins.login(credentials("ada", "ada-secret"), client)).account().isPresent());
    assertTrue(priority.get() < Thread.NORM_PRIORITY, "priority=" + priority.get());
  }

  @Test
  void attemptsThatWaitAreRefusedWhenTheServerStops() throws Exception {
    CountDownLatch held = holdComparisons();
    CompletionStage<Login> waiting = logins.login(credentials("bob", "bob-secret"), here());
    get(logins.login(Optional::empty, here())); // so it has been read
    logins.close();
    held.countDown();
    assertEquals("the server is stopping", get(waiting).problem());
    assertEquals("the server is stopping", login("bob", "bob-secret").problem());
  }

  @Test
  void clientsThatHaveFailedOftenTakeOneProcessorAtMost() throws Exception {
    file.put(new User("dear", Role.READER, Passwords.hash("dear-secret".toCharArray(), 11)));
    users.refresh();
    List<CompletionStage<Login>> guesses = new ArrayList<>();
    for (int i = 0; i < 4; i++) { // the fourth has a pause
      guesses.add(logins.login(credentials("dear", "free" + i), here()));
    }
    for (CompletionStage<Login> guess : guesses) {
      get(guess);
    }
    long begin = System.nanoTime();
    long computed = loginNanos();
    guesses.clear();
    for (int i = 0; i < 20; i++) {
      guesses.add(logins.login(credentials("dear", "guess" + i), here()));
    }
    for (CompletionStage<Login> guess : guesses) {
      assertTrue(get(guess).account().isEmpty());
    }
    computed = loginNanos() - computed;
    long elapsed = System.nanoTime() - begin;
    assertTrue(computed < 1.25 * elapsed, "computed=" + computed + ", elapsed=" + elapsed);
  }

  /** Time that the threads of logins have computed for. */
  private static long loginNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith("bg3-login-")) {
        nanos += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return nanos;
  }

  /** Has every thread that compares wait. */
  private CountDownLatch holdComparisons() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    int comparers = Logins.comparers(Runtime.getRuntime().availableProcessors());
    CountDownLatch waiting = new CountDownLatch(comparers);
    for (int i = 0; i < comparers; i++) {
      logins.login(
          credentials("nobody", "held" + i),
          client(
              elsewhere(),
              () -> {
                waiting.countDown();
                return await(held);
              }));
    }
    assertTrue(waiting.await(300, TimeUnit.SECONDS));
    return held;
  }

  private static LoginClient here() {
    return client(InetAddress.getLoopbackAddress(), () -> false);
  }

  private static LoginClient client(InetAddress address, BooleanSupplier isGone) {
    return new LoginClient(address, isGone, outcome -> {});
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return !latch.await(300, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private static InetAddress elsewhere() throws IOException {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
  }

  private Login login(String name, String password) throws Exception {
    return get(logins.login(credentials(name, password), here()));
  }

  private static Login get(CompletionStage<Login> login) throws Exception {
    return login.toCompletableFuture().get(300, TimeUnit.SECONDS);
  }

  private static Credentials credentials(String name, String password) {
    return new Credentials(name, password.getBytes(StandardCharsets.UTF_8));
  }
}
