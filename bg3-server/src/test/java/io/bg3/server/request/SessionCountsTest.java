package io.bg3.server.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.server.answer.Refusal;
import org.junit.jupiter.api.Test;

/** Counts sessions of owners on connections that are numbers. */
class SessionCountsTest {
  private final SessionCounts<Integer> counts = new SessionCounts<>(20, 15);

  @Test
  void oneOwnerLeavesRoomForAnother() throws Refusal {
    for (int i = 0; i < 15; i++) {
      counts.add("greedy", i);
    }
    assertRefused("this client has too many sessions open: limit=15", "greedy", 15);
    for (int i = 20; i < 25; i++) {
      counts.add("honest", i);
    }
    assertRefused("too many sessions are open: limit=20", "honest", 25);
    counts.remove("greedy", 0);
    counts.add("honest", 25);
    assertEquals(20, counts.all());
  }

  @Test
  void aConnectionHasAQuarter() throws Refusal {
    for (int i = 0; i < 5; i++) {
      counts.add("one", 1);
    }
    assertRefused("this connection has too many sessions open: limit=5", "one", 1);
    counts.add("one", 2);
    counts.remove("one", 1);
    counts.add("one", 1);
  }

  private void assertRefused(String problem, String owner, int connection) {
    Refusal refusal = assertThrows(Refusal.class, () -> counts.add(owner, connection));
    assertEquals(problem, refusal.getMessage());
  }
}
