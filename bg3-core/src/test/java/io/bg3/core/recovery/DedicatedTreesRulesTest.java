package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.tree.BatchReplay;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.ReplayRoom;
import io.bg3.core.tree.Tree;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Trees of single vertices in replay, of which each use makes a new object, and in checks. */
class DedicatedTreesRulesTest {
  private static final int EDGES = 40; // some leaves
  private static final int ENTRIES = 8;
  private static final long OWNER = 5;

  /** A store whose only vertex with edges has a tree of its own, stored in a manifest. */
  private static ModelledStore store() throws IOException {
    ModelledStore store = new ModelledStore(new EdgeModel(), 1);
    store.fill(OWNER, EDGES);
    assertTrue(store.opened.moveOut(OWNER, ENTRIES));
    store.opened.checkpoint();
    return store;
  }

  @RuleTest(
      rule = 19,
      sites =
          @Site(
              name = "replays a tree",
              in = "io.bg3.core.commit.Replayer",
              method =
                  "apply(Lio/bg3/core/tree/Tree;Lio/bg3/core/entry/Entries;"
                      + "Lio/bg3/core/entry/Horizon;)V"),
      twins =
          @Twin(
              name = "two objects of one tree are taken for two trees",
              in = "io.bg3.core.tree.Tree",
              method = "equals",
              result = 0))
  void theEntriesOfATreeAreReplayedTogether() throws Exception {
    try (ModelledStore store = store()) {
      for (int other = 0; other < EDGES; other += 2) {
        int of = other;
        store.opened.commit(change -> store.model.put(change, OWNER, of, new byte[3]));
        store.opened.commit(change -> store.model.remove(change, OWNER, of + 1));
      }
      AtomicInteger batches = new AtomicInteger();
      Sites.always("replays a tree", batches::incrementAndGet);
      try {
        store.crash();
      } finally {
        Sites.never("replays a tree");
      }
      store.compare();
      assertEquals(1, batches.get());
    }
  }

  @RuleTest(
      rule = 19,
      twins =
          @Twin(
              name = "a check does not look for entries beside the tree of their vertex",
              in = "io.bg3.core.forest.DedicatedTreeCheck",
              method = "problem",
              without = "DedicatedTreeCheck.isEmpty",
              result = 1))
  void aCheckFindsEntriesBesideTheTreeOfTheirVertex() throws Exception {
    try (ModelledStore store = store()) {
      assertEquals(List.of(), store.opened.check());
      add(store.forest().sharedTree(new FamilyOwner(OWNER, 0)), OWNER);
      assertFound(store, "has entries beside its tree");
    }
  }

  @Test
  void aCheckFindsEntriesOfOtherVerticesInATree() throws Exception {
    for (long other : new long[] {OWNER - 1, OWNER + 1}) {
      try (ModelledStore store = store()) {
        add(store.forest().dedicatedTree(OWNER), other);
        assertFound(store, "has entries of others");
      }
    }
  }

  /** Adds an edge of an owner to a tree, whether it belongs there or not. */
  private static void add(Tree tree, long owner) {
    Entries entries = tree.newEntries();
    entries.append(EdgeKey.encode(owner, EdgeModel.TAG_LABEL, 7, 0), Op.PUT, 1, new byte[1]);
    new BatchReplay(tree, Horizon.at(1), ReplayRoom.UNBOUNDED).add(entries);
  }

  private static void assertFound(ModelledStore store, String problem) {
    List<String> found = store.opened.check();
    assertTrue(found.stream().anyMatch(each -> each.contains(problem)), found::toString);
  }
}
