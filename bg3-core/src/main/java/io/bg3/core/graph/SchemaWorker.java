package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.TransactionManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether the elements from before a schema meet it, beside writers. Commits keep the schema
 * meanwhile, so it does not matter at which of several snapshots an element is read: an element
 * that breaks the schema is from before, and one that a commit has changed since meets it.
 *
 * <p>Threads: any.
 */
final class SchemaWorker extends DefinitionWorker<LabelRules> {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaWorker.class);

  /** Elements that are read at one snapshot. */
  private static final int MOST_ELEMENTS = 4_096;

  private static final int MOST_BYTES = 1 << 20;

  /** As many problems are named. */
  private static final int MOST_PROBLEMS = 3;

  private final GraphSchema schema;
  private final TransactionManager transactions;
  private final Supplier<GraphTransaction> begin;

  SchemaWorker(
      GraphSchema schema, TransactionManager transactions, Supplier<GraphTransaction> begin) {
    super("bg3-schema", schema, schema::unfinished, transactions);
    this.schema = schema;
    this.transactions = transactions;
    this.begin = begin;
  }

  @Override
  Object key(LabelRules rules) {
    return rules.schema();
  }

  @Override
  String named(LabelRules rules) {
    return "verifying the schema of " + rules.schema().name();
  }

  @Override
  void stop(LabelRules rules, String problem) {
    super.stop(rules, problem);
    schema.fail(rules);
  }

  @Override
  void warn(LabelRules rules, Throwable failure) {
    LOG.warn(
        "the verification of a schema has stopped; define the schema again or open the store"
            + " again to continue: label={}",
        rules.schema().name(),
        failure);
  }

  @Override
  void work(LabelRules rules) {
    long start = System.nanoTime();
    List<String> found = verify(rules);
    if (isClosed()) {
      return;
    }
    if (found.isEmpty()) {
      schema.enforce(rules);
    } else {
      stop(rules, String.join("; ", found));
    }
    LOG.info(
        "verified a schema: label={}, elements={}, problems={}, millis={}",
        rules.schema().name(),
        done(rules),
        found,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }

  /** The first elements that break a schema; the work may also have been ended. */
  private List<String> verify(LabelRules rules) {
    if (GraphLoad.isMarked(transactions)) { // its edges are looked at by nobody
      throw new IllegalStateException(
          "a load is filling the store; define the schema again after the load");
    }
    List<String> found = new ArrayList<>();
    boolean isOfEdges = rules.schema().kind() == ElementKind.EDGE;
    byte[] next = isOfEdges ? null : new byte[0];
    boolean more = true;
    while (more && !isClosed() && schema.isThere(rules) && found.size() < MOST_PROBLEMS) {
      next = isOfEdges ? edges(rules, next, found) : vertices(rules, next, found);
      more = next != null;
    }
    return found.size() <= MOST_PROBLEMS ? found : found.subList(0, MOST_PROBLEMS);
  }

  /** Looks at some vertices; where to go on, null at the end. */
  private byte[] vertices(LabelRules rules, byte[] from, List<String> found) {
    long bytes = 0;
    int looked = 0;
    byte[] last = null;
    try (GraphTransaction snapshot = begin.get();
        ByteCursor cursor =
            snapshot.transaction().scan(TreeIds.VERTICES, from, null, ScanOrder.FORWARD)) {
      while (looked < MOST_ELEMENTS && bytes < MOST_BYTES && cursor.next()) {
        looked++;
        last = cursor.key();
        byte[] value = cursor.value();
        bytes += value.length;
        if (VertexRecord.firstLabel(value) == rules.label()) {
          add(problem(rules, snapshot, GraphKeys.vertexOf(last), value), found);
        }
      }
    }
    count(rules, looked);
    return last == null ? null : KeySpace.successor(last);
  }

  private String problem(LabelRules rules, GraphTransaction snapshot, long vertex, byte[] value) {
    return rules.problem(
        () -> snapshot.vertexId(vertex),
        VertexRecord.decode(value),
        each -> snapshot.value(vertex, each),
        this::text);
  }

  /** Looks at some edges; where to go on, null at the end. */
  private byte[] edges(LabelRules rules, byte[] from, List<String> found) {
    int looked = 0;
    byte[] last = null;
    try (GraphTransaction snapshot = begin.get();
        EdgeCursor cursor = snapshot.transaction().allEdges(EdgeTags.OUT, from, false)) {
      while (looked < MOST_ELEMENTS && cursor.next()) {
        looked++;
        last = EdgeKey.encode(cursor.owner(), cursor.tagLabel(), cursor.other(), cursor.sequence());
        if (EdgeTags.label(cursor.tagLabel()) == rules.label()) {
          EdgeId edge = Edges.ofEntry(last);
          EdgeRecord record = snapshot.edge(edge);
          if (record != null) { // else it is hidden
            add(rules.problem(() -> RuleChecks.name(edge, record), record, this::text), found);
            add(rules.second(snapshot, edge), found);
            add(rules.wrongEnd(snapshot, edge), found);
          }
        }
      }
    }
    count(rules, looked);
    return last == null ? null : KeySpace.successor(last);
  }

  private static void add(String problem, List<String> found) {
    if (problem != null) {
      found.add(problem);
    }
  }

  private String text(int key) {
    return transactions.dictionary().text(Dictionary.Kind.PROPERTY_KEY, key);
  }
}
