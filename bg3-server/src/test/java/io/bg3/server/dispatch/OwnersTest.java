package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class OwnersTest {
  private static final long STEP = 50;

  private final FairQueue queue = new FairQueue(1, STEP, 1_000_000);
  private final Owners owners = new Owners(queue);

  @Test
  void connectionsOfOneNameShareAnOwner() {
    Client first = owners.connect("ada");
    assertSame(first.owner, owners.connect("ada").owner);
    assertNotSame(first.owner, owners.connect("bob").owner);
    assertEquals(2, owners.count());
  }

  @Test
  void anOwnerIsForgottenWithItsLastConnection() {
    Client first = owners.connect("ada");
    Client second = owners.connect("ada");
    owners.disconnected(first);
    assertEquals(1, owners.count());
    owners.disconnected(second);
    assertEquals(0, owners.count());
  }

  @Test
  void anOwnerWithARequestIsKeptUntilThatHasEnded() {
    Client client = owners.connect("ada");
    TestWork work = TestWork.named("runs");
    queue.add(client, work, 0);
    assertSame(work, queue.take(queue.peek()));
    owners.disconnected(client);
    assertEquals(1, owners.count());
    queue.ended(client, work);
    owners.forget(client.owner);
    owners.forgetSome();
    assertEquals(0, owners.count());
  }

  /** O2. */
  @Test
  void anOwnerThatHasUsedMoreIsRememberedUntilOthersHaveCaughtUp() {
    Client busy = owners.connect("busy");
    queue.charge(busy, 10 * STEP);
    Owner owner = busy.owner;
    owners.disconnected(busy);
    owners.forgetSome();
    assertEquals(1, owners.count());
    assertSame(owner, owners.connect("busy").owner);
    owners.disconnected(busy);

    Client other = owners.connect("other");
    queue.charge(other, 10 * STEP);
    queue.add(other, TestWork.named("catches up"), 0);
    queue.take(queue.peek());
    owners.forgetSome();
    assertEquals(1, owners.count());
    assertNotSame(owner, owners.connect("busy").owner);
  }
}
