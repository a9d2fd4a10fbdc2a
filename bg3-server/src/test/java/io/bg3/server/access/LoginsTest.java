package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in with right and wrong passwords, on a clock that stands still unless it is moved. */
class LoginsTest {
  private static final String WRONG = "user name or password is wrong";

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private UsersFile file;
  private Logins logins;

  @BeforeEach
  void open() throws IOException {
    file = TestUsers.write(directory.resolve("users"));
    logins = new Logins(Users.open(file, nanos::get), nanos::get);
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
  }

  @Test
  void anUnknownNameIsComparedWithAHashOfTheSameCost() throws Exception {
    Users users = Users.open(file);
    assertEquals(Passwords.cost(users.user("ada").get().hash()), Passwords.cost(users.nobodys()));
  }

  @Test
  void afterThreeFailuresEvenTheRightPasswordWaits() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertEquals(WRONG, login("ada", "wrong" + i).problem());
    }
    assertEquals("too many failed logins, wait: seconds=1", login("ada", "ada-secret").problem());
    assertTrue(login("bob", "bob-secret").account().isPresent(), "others do not wait");
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1_001));
    assertEquals(WRONG, login("ada", "wrong").problem());
    assertEquals("too many failed logins, wait: seconds=2", login("ada", "ada-secret").problem());
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(2_001));
    assertTrue(login("ada", "ada-secret").account().isPresent());
    assertEquals(WRONG, login("ada", "wrong").problem(), "and begins anew");
  }

  @Test
  void theWaitGrowsToHalfAMinute() {
    LoginThrottle throttle = new LoginThrottle(nanos::get);
    LoginThrottle.Key key = new LoginThrottle.Key(InetAddress.getLoopbackAddress(), "ada");
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      throttle.failed(key);
      waits.add(throttle.waitMillis(key) / 1_000);
    }
    assertEquals(List.of(0L, 0L, 1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L), waits);
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(10));
    assertEquals(0, throttle.waitMillis(key));
    assertTrue(throttle.isClean(key));
  }

  @Test
  void anotherAddressDoesNotWait() throws Exception {
    for (int i = 0; i < 4; i++) {
      login("ada", "wrong");
    }
    InetAddress elsewhere = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
    assertTrue(get(logins.login("ada", bytes("ada-secret"), elsewhere)).account().isPresent());
  }

  @Test
  void manyAttemptsAtOnceAreNoFasterWayToGuess() throws Exception {
    assertTrue(login("ada", "ada-secret").account().isPresent());
    List<CompletionStage<Login>> attempts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      attempts.add(logins.login("ada", bytes("guess" + i), InetAddress.getLoopbackAddress()));
    }
    int compared = 0;
    for (CompletionStage<Login> attempt : attempts) {
      compared += get(attempt).problem().equals(WRONG) ? 1 : 0;
    }
    assertTrue(compared <= 4, "compared=" + compared); // three, and one in the other thread
  }

  @Test
  void aNewPasswordAndARemovedUserHoldFromTheNextLogin() throws Exception {
    assertTrue(login("ada", "ada-secret").account().isPresent());
    file.put(new User("ada", Role.READER, Passwords.hash("another1".toCharArray(), 4)));
    file.remove("bob");
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertEquals(WRONG, login("ada", "ada-secret").problem());
    assertEquals(new Account("ada", Role.READER), login("ada", "another1").account().get());
    assertEquals(WRONG, login("bob", "bob-secret").problem());
  }

  private Login login(String name, String password) throws Exception {
    return get(logins.login(name, bytes(password), InetAddress.getLoopbackAddress()));
  }

  private static Login get(CompletionStage<Login> login) throws Exception {
    return login.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
