package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.access.LoginQueue.Rank;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Puts attempts into the queue and looks in which order they come out. */
class LoginQueueTest {
  private final LoginQueue<String> queue = new LoginQueue<>();

  @Test
  void addressesTakeTurns() {
    for (int i = 0; i < 100; i++) {
      queue.add(new LoginKey("10.0.0.1", "ada"), Rank.NEW, "guess" + i);
    }
    queue.add(new LoginKey("10.0.0.2", "ada"), Rank.FAILED, "honest");
    assertEquals(List.of("guess0", "honest", "guess1"), poll(3));
  }

  @Test
  void namesOfAnAddressTakeTurns() {
    for (int i = 0; i < 100; i++) {
      queue.add(new LoginKey("10.0.0.1", "ada"), Rank.NEW, "guess" + i);
    }
    queue.add(new LoginKey("10.0.0.1", "bob"), Rank.NEW, "honest");
    assertEquals(List.of("guess0", "honest", "guess1", "guess2"), poll(4));
  }

  @Test
  void aNameThatHasLoggedInComesBeforeNewOnesAndOneThatFailedBehind() {
    for (int i = 0; i < 100; i++) {
      queue.add(new LoginKey("10.0.0.1", "new" + i), Rank.NEW, "new" + i);
      queue.add(new LoginKey("10.0.0.1", "failed" + i), Rank.FAILED, "failed" + i);
    }
    queue.add(new LoginKey("10.0.0.1", "ada"), Rank.KNOWN, "known");
    assertEquals(List.of("known", "new0", "new1", "failed0"), poll(4));
  }

  @Test
  void noRankIsLeftOut() {
    for (int i = 0; i < 100; i++) {
      queue.add(new LoginKey("10.0.0.1", "ada"), Rank.KNOWN, "known");
      queue.add(new LoginKey("10.0.0.1", "new" + i), Rank.NEW, "new");
      queue.add(new LoginKey("10.0.0.1", "failed" + i), Rank.FAILED, "failed");
    }
    List<String> first = poll(70);
    assertEquals(10, first.stream().filter("failed"::equals).count());
    assertEquals(20, first.stream().filter("new"::equals).count());
    assertEquals(40, first.stream().filter("known"::equals).count());
  }

  @Test
  void allComeOutOnceAndInTheirOrder() {
    List<Rank> ranks = List.of(Rank.values());
    for (int i = 0; i < 30; i++) {
      for (int who = 0; who < 9; who++) {
        LoginKey key = new LoginKey("address" + who / 3, "name" + who % 3);
        queue.add(key, ranks.get(who % 3), key + " " + String.format("%02d", i));
      }
    }
    List<String> all = poll(270);
    assertNull(queue.poll());
    assertEquals(270, all.stream().distinct().count());
    for (int who = 0; who < 9; who++) {
      LoginKey key = new LoginKey("address" + who / 3, "name" + who % 3);
      List<String> own = all.stream().filter(one -> one.startsWith(key + " ")).toList();
      assertEquals(own.stream().sorted().toList(), own);
    }
  }

  private List<String> poll(int count) {
    List<String> polled = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String next = queue.poll();
      assertTrue(next != null, "polled=" + polled);
      polled.add(next);
    }
    return polled;
  }
}
