package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitSync;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Turns of an event loop, and stores that write down what they are asked. */
class TurnSyncsTest {
  private final List<String> asked = new ArrayList<>();
  private final Store store = new Store("store");
  private final TurnSyncs syncs = new TurnSyncs();

  private final class Store implements CommitSync {
    private final String name;
    private boolean isShort;

    Store(String name) {
      this.name = name;
    }

    @Override
    public void request() {
      asked.add(name + " is asked");
    }

    @Override
    public boolean syncIfShort() {
      asked.add(name + (isShort ? " is synced" : " takes long"));
      return isShort;
    }
  }

  @Test
  void whatATurnHasCommittedIsSyncedByTheLoopIfThatIsShort() {
    syncs.add(store);
    syncs.end();
    assertEquals(List.of("store takes long", "store is asked"), asked);
    asked.clear();
    store.isShort = true;
    syncs.add(store);
    assertTrue(asked.isEmpty());
    syncs.end();
    assertEquals(List.of("store is synced"), asked);
  }

  @Test
  void aRequestForAWorkerHasTheSyncsAskedForAtOnceUntilTheTurnEnds() {
    store.isShort = true;
    syncs.add(store);
    assertTrue(asked.isEmpty());
    syncs.goesOn();
    assertEquals(List.of("store is asked"), asked);
    syncs.add(store);
    syncs.goesOn();
    assertEquals(List.of("store is asked", "store is asked"), asked);
    asked.clear();
    syncs.end();
    assertTrue(asked.isEmpty());
    syncs.add(store);
    syncs.end();
    assertEquals(List.of("store is synced"), asked);
  }

  @Test
  void eachStoreIsSyncedOnce() {
    Store other = new Store("other");
    other.isShort = true;
    syncs.add(store);
    syncs.add(other);
    syncs.add(store);
    syncs.end();
    assertEquals(List.of("store takes long", "store is asked", "other is synced"), asked);
  }

  @Test
  void aTurnWithoutCommitsAsksForNothing() {
    syncs.add(store);
    syncs.goesOn();
    syncs.end();
    asked.clear();
    syncs.goesOn();
    syncs.end();
    syncs.end();
    assertTrue(asked.isEmpty());
  }
}
