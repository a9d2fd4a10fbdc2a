package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.core.graph.AllowedEnds;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.IndexState;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.OrderState;
import io.bg3.core.graph.SchemaState;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.graph.ValueType;
import io.bg3.core.record.PropertyBytes;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Fills a store with definitions of every kind, and elements for each of them. */
final class DefinedStore {
  /** The number of vertices; each has one edge or more of every label. */
  static final int PEOPLE = 60;

  /** The label whose edges are ordered by {@code time}, the largest first. */
  static final String ORDERED = "knows";

  private static final long HOUR = 3_600_000;
  private static final long MOST_WAIT = TimeUnit.MINUTES.toNanos(2);

  private DefinedStore() {}

  static void fill(Bg3 open) {
    GraphStore store = open.graph();
    EdgeLabelForm plain = EdgeLabelForm.plain();
    store.defineFamily(new EdgeFamily("events").withTtl(HOUR).withPageCapacity(32_768));
    store.defineFamily(new EdgeFamily("heavy").withSplitOut(64).withCompression("zstd:3"));
    EdgeLabel ordered =
        store.declareEdgeLabel(ORDERED, plain.orderedBy("time", SortOrder.DESCENDING).asCounted());
    store.declareEdgeLabel("likes", plain.orderedBy("time", SortOrder.ASCENDING).asLoose());
    store.declareEdgeLabel("follows", plain.asLoose());
    store.declareEdgeLabel("viewed", plain.inFamily("events"));
    store.declareEdgeLabel("rated", plain.inFamily("heavy").asCounted());
    store.declareEdgeLabel("seen", plain.withTtl(2 * HOUR));
    store.declareEdgeLabel("noted", plain);
    elements(store);
    hide(store, ordered);
    store.declareEdgeLabel("wrote", plain.orderedBy("time", SortOrder.ASCENDING).asCounted());
    store.defineSchema(
        LabelSchema.ofVertices("person")
            .with(KeyRule.of("name", ValueType.STRING).with(Cardinality.SINGLE).asRequired())
            .with(KeyRule.of("mail", ValueType.STRING))
            .with(KeyRule.of("age"))
            .asClosed());
    store.defineSchema(
        LabelSchema.ofEdges("rated")
            .with(KeyRule.of("time", ValueType.LONG).asRequired())
            .with(AllowedEnds.any().from("person")));
    store.createIndex("person", "name");
    store.createIndex("person", "age", "name");
    store.createUniqueIndex(null, "mail");
    store.createIndex(IndexedKeys.ofEdges(ORDERED, "time"), false);
    await(
        () ->
            store.order(store.declaredEdgeLabel("wrote")).state() == OrderState.READY
                && store.schemas().stream().allMatch(each -> each.state() == SchemaState.ENFORCED)
                && store.indexes().stream().allMatch(each -> each.state() == IndexState.READY));
  }

  private static void elements(GraphStore store) {
    try (GraphTransaction transaction = store.begin()) {
      long[] people = new long[PEOPLE];
      for (int i = 0; i < PEOPLE; i++) {
        people[i] = transaction.addVertex(1_000 + i, "person");
        set(transaction, people[i], "name", "p" + i);
        set(transaction, people[i], "mail", "p" + i + "@b");
        set(transaction, people[i], "age", i % 9);
      }
      for (int i = 0; i < PEOPLE; i++) {
        for (String label : new String[] {"likes", "follows", "viewed", "rated", "seen", "noted"}) {
          add(transaction, people[i], label, people[(i + 1) % PEOPLE], i);
        }
        add(transaction, people[0], ORDERED, people[i], (i * 7) % PEOPLE);
        add(transaction, people[i], "wrote", people[(i * 3) % PEOPLE], i);
      }
      transaction.commit();
    }
  }

  private static void set(GraphTransaction transaction, long vertex, String key, Object value) {
    transaction.setProperty(vertex, Cardinality.SINGLE, key, value, null);
  }

  private static void add(
      GraphTransaction transaction, long from, String label, long to, long time) {
    transaction.addEdge(from, label, to, null, Map.of("time", time));
  }

  /** Adds a hidden link, which no export has. */
  private static void hide(GraphStore store, EdgeLabel label) {
    store.update(
        new long[] {1_001, 1_002},
        transaction -> {
          transaction.links().put(label, 1_001, 1_002, 5, false, new PropertyBytes());
          return null;
        });
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + MOST_WAIT;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("the store is still at work on its definitions");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
