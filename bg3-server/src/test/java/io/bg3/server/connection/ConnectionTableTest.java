package io.bg3.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Connects numbers from addresses and looks which give way. */
class ConnectionTableTest {
  private final ConnectionTable<Integer> table = new ConnectionTable<>(10, 7);

  @Test
  void theOldestIdleConnectionOfTheAddressWithTheMostGivesWay() {
    fill("attacker", 0, 6);
    fill("other", 10, 14);
    assertEquals(closed(0), table.add(20, "honest"));
    assertEquals(closed(1), table.add(21, "honest"));
    assertEquals(10, table.count());
  }

  @Test
  void aConnectionThatHasAskedForSomethingDoesNotGiveWay() {
    fill("attacker", 0, 7);
    fill("other", 10, 13);
    table.setBusy(0);
    table.setBusy(1);
    assertEquals(closed(2), table.add(20, "honest"));
    table.setIdle(0);
    for (int i = 3; i < 7; i++) {
      table.setBusy(i);
    }
    for (int i = 10; i < 13; i++) {
      table.setBusy(i);
    }
    table.setBusy(20);
    assertEquals(closed(0), table.add(21, "honest"), "it was refused, and is idle again");
    table.setBusy(21);
    assertFalse(table.add(22, "honest").admitted(), "nobody is idle");
    assertEquals(10, table.count());
  }

  @Test
  void connectionsWhosePasswordsAreComparedGiveWayBehindIdleOnes() {
    fill("attacker", 0, 6);
    fill("other", 10, 14);
    for (int i = 0; i < 6; i++) {
      table.setTrying(i);
    }
    for (int i = 10; i < 13; i++) {
      table.setTrying(i);
    }
    assertEquals(closed(13), table.add(20, "honest"), "the only idle one");
    table.setTrying(20);
    assertEquals(closed(0), table.add(21, "another"), "of the address that tries most");
    table.setTrying(21);
    table.setBusy(20);
    table.setTrying(20);
    int late = 30;
    for (int gone : new int[] {1, 2, 10, 3, 11, 4}) {
      assertEquals(closed(gone), table.add(late, "late " + late));
      table.setBusy(late++);
    }
    assertEquals(10, table.count());
  }

  @Test
  void anAddressThatTriesWithItsWholeShareClosesItsOwn() {
    fill("attacker", 0, 7);
    for (int i = 0; i < 7; i++) {
      table.setTrying(i);
    }
    assertEquals(closed(0), table.add(7, "attacker"));
    table.setIdle(3);
    assertEquals(closed(7), table.add(8, "attacker"), "the older idle one");
    assertEquals(closed(3), table.add(9, "attacker"), "it was refused");
    fill("honest", 20, 23);
  }

  @Test
  void ofAddressesWithEquallyManyTheOneThatHasWaitedLongestGivesWay() {
    ConnectionTable<Integer> wide = new ConnectionTable<>(1_000, 1_000);
    for (int i = 0; i < 1_000; i++) {
      assertTrue(wide.add(i, "address " + (i * 7919) % 1_000).admitted());
    }
    for (int i = 0; i < 3_000; i++) {
      assertEquals(closed(i), wide.add(1_000 + i, "late " + i));
    }
  }

  @Test
  void anAddressThatHasItsShareClosesItsOwn() {
    fill("attacker", 0, 7);
    assertEquals(closed(0), table.add(7, "attacker"));
    for (int i = 1; i <= 7; i++) {
      table.setBusy(i);
    }
    assertFalse(table.add(8, "attacker").admitted());
    assertTrue(table.add(20, "honest").admitted());
    table.remove(1);
    table.remove(1);
    assertTrue(table.add(9, "attacker").admitted());
  }

  @Test
  void aTableThatIsEmptyAgainRemembersNothing() {
    for (int round = 0; round < 100; round++) {
      fill("address " + round, 0, 7);
      for (int i = 0; i < 7; i++) {
        table.remove(i);
      }
    }
    assertEquals(0, table.count());
    fill("one", 0, 7);
    fill("another", 10, 13);
    assertEquals(10, table.count());
  }

  private void fill(String address, int from, int to) {
    for (int i = from; i < to; i++) {
      assertEquals(
          new ConnectionTable.Admission<Integer>(true, Optional.empty()), table.add(i, address));
    }
  }

  private static ConnectionTable.Admission<Integer> closed(int connection) {
    return new ConnectionTable.Admission<>(true, Optional.of(connection));
  }
}
