package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.access.LoginQueue.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Puts attempts into the queue and looks in which order they come out. */
class LoginQueueTest {
  private static final int CAPACITY = 150;

  private final LoginQueue<String> queue = new LoginQueue<>(CAPACITY);

  @Test
  void addressesTakeTurns() {
    for (int i = 0; i < 100; i++) {
      add("10.0.0.1", "ada", Rank.FAILED, "guess" + i);
    }
    add("10.0.0.2", "ada", Rank.FAILED, "honest");
    assertEquals(List.of("guess0", "honest", "guess1"), poll(3));
  }

  @Test
  void networksTakeTurnsHoweverManyAddressesTheyHave() {
    for (int i = 0; i < 100; i++) {
      queue.add(new LoginKey("2001:db8::/48", "2001:db8:0:" + i, "ada"), Rank.NEW, "guess" + i);
    }
    queue.add(new LoginKey("2001:db9::/48", "2001:db9:0:1", "ada"), Rank.NEW, "honest");
    assertEquals(List.of("guess0", "honest", "guess1"), poll(3));
  }

  @Test
  void namesOfAnAddressTakeTurns() {
    for (int i = 0; i < 100; i++) {
      add("10.0.0.1", "ada", Rank.NEW, "guess" + i);
    }
    add("10.0.0.1", "bob", Rank.NEW, "honest");
    assertEquals(List.of("guess0", "honest", "guess1", "guess2"), poll(4));
  }

  @Test
  void namesThatHaveLoggedInComeBeforeNewOnesAndThoseThatFailedBehind() {
    for (int i = 0; i < 70; i++) {
      add("10.0.0." + i, "new" + i, Rank.NEW, "new" + i);
      add("10.0.1." + i, "failed" + i, Rank.FAILED, "failed" + i);
    }
    add("10.0.2.1", "ada", Rank.KNOWN, "known");
    assertEquals(List.of("known", "new0", "new1", "failed0"), poll(4));
  }

  @Test
  void noRankIsLeftOut() {
    for (int i = 0; i < 50; i++) {
      add("10.0.0.1", "ada", Rank.KNOWN, "known");
      add("10.0.0.1", "new" + i, Rank.NEW, "new");
      add("10.0.0.1", "failed" + i, Rank.FAILED, "failed");
    }
    List<String> first = poll(70);
    assertEquals(10, first.stream().filter("failed"::equals).count());
    assertEquals(20, first.stream().filter("new"::equals).count());
    assertEquals(40, first.stream().filter("known"::equals).count());
  }

  @Test
  void anAddressWithAPauseWaitsAndItsKnownNamesDoNot() {
    add("10.0.0.1", "ada", Rank.FAILED, "guess");
    add("10.0.0.1", "bob", Rank.KNOWN, "known");
    queue.pause("10.0.0.1", 1_000);
    assertEquals("known", queue.poll(0));
    assertNull(queue.poll(0));
    assertEquals(990, queue.pauseNanos(10));
    add("10.0.0.2", "ada", Rank.FAILED, "elsewhere");
    assertEquals("elsewhere", queue.poll(10));
    assertNull(queue.poll(999));
    assertEquals("guess", queue.poll(1_000));
    assertEquals(Long.MAX_VALUE, queue.pauseNanos(1_000));
  }

  @Test
  void aFullQueueGivesUpTheNewestOfTheNetworkAddressAndNameWithTheMost() {
    add("10.0.0.9", "ada", Rank.FAILED, "of another address");
    for (int i = 0; i < CAPACITY - 1; i++) {
      assertEquals(Optional.empty(), add("10.0.0.1", "ada", Rank.KNOWN, "guess" + i));
    }
    assertEquals(Optional.of("guess148"), add("10.0.0.2", "ada", Rank.FAILED, "honest"));
    assertEquals(Optional.of("another"), add("10.0.0.1", "ada", Rank.KNOWN, "another"));
    assertEquals(Optional.of("guess147"), add("10.0.0.1", "bob", Rank.FAILED, "bob's"));
    List<String> all = poll(CAPACITY);
    assertTrue(all.containsAll(List.of("of another address", "honest", "bob's")), "" + all);
    assertNull(queue.poll(0));
  }

  @Test
  void amongEqualsOneThatFailedIsGivenUp() {
    for (int i = 0; i < CAPACITY; i++) {
      queue.add(new LoginKey("network" + i, "address" + i, "ada"), Rank.FAILED, "guess" + i);
    }
    LoginKey honest = new LoginKey("network", "address", "ada");
    assertEquals(Optional.of("guess149"), queue.add(honest, Rank.NEW, "honest"));
    assertEquals("honest", queue.poll(0));
  }

  @Test
  void allComeOutOnceAndInTheirOrder() {
    List<Rank> ranks = List.of(Rank.values());
    for (int i = 0; i < 15; i++) {
      for (int who = 0; who < 9; who++) {
        String name = "name" + who % 3;
        add("address" + who / 3, name, ranks.get(who % 3), "" + who + " " + (10 + i));
      }
    }
    List<String> all = poll(135);
    assertNull(queue.poll(0));
    assertEquals(135, all.stream().distinct().count());
    for (int who = 0; who < 9; who++) {
      String prefix = who + " ";
      List<String> own = all.stream().filter(one -> one.startsWith(prefix)).toList();
      assertEquals(own.stream().sorted().toList(), own);
    }
  }

  private Optional<String> add(String address, String name, Rank rank, String attempt) {
    return queue.add(new LoginKey("10.0.0.0/24", address, name), rank, attempt);
  }

  private List<String> poll(int count) {
    List<String> polled = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String next = queue.poll(0);
      assertTrue(next != null, "polled=" + polled);
      polled.add(next);
    }
    return polled;
  }
}
