package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final long LIMIT = 64 << 20;
  private static final long MIB = 1 << 20;

  private final Budget budget = new Budget(LIMIT);
  private final Client ada = new Client(new Owner("ada"));
  private final Client bob = new Client(new Owner("bob"));

  @Test
  void anOwnerHasAQuarter() {
    for (int i = 0; i < 16; i++) {
      assertTrue(budget.take(ada, MIB));
    }
    assertFalse(budget.take(ada, MIB));
    assertFalse(budget.take(new Client(ada.owner), MIB), "another connection of the owner");
    assertTrue(budget.take(bob, MIB));
    budget.give(ada, MIB);
    assertTrue(budget.take(ada, MIB));
    assertEquals(17 * MIB, budget.used());
  }

  @Test
  void anOwnerWithLittleMayHaveOneLargeRequest() {
    assertTrue(budget.take(ada, Budget.SMALL));
    assertTrue(budget.take(ada, 40 * MIB));
    assertFalse(budget.take(ada, MIB));
    assertTrue(budget.take(bob, MIB));
    assertFalse(budget.take(new Client(new Owner("eve")), 40 * MIB), "the limit is exceeded");
  }

  @Test
  void aSmallRequestIsAlwaysLetIn() {
    assertTrue(budget.take(ada, LIMIT));
    assertTrue(budget.take(ada, Budget.SMALL));
    assertTrue(budget.take(bob, Budget.SMALL));
  }

  /** Requests of an owner that holds little wait in their session, whatever others hold. */
  @Test
  void requestsOfOthersTakeNoRoomFromASession() {
    assertTrue(budget.take(ada, LIMIT));
    assertTrue(budget.take(ada, Budget.SMALL));
    assertTrue(budget.take(bob, 1_000));
    assertFalse(budget.fits(ada));
    assertTrue(budget.fits(bob));
    budget.give(ada, LIMIT);
    assertTrue(budget.fits(ada));
  }
}
