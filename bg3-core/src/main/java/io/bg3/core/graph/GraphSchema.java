package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.limit.Limit;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.storage.format.CorruptionException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The schemas of a store, and how they come and go.
 *
 * <pre>
 *   absent    --- defined, under the gate ------------------------->  verifying
 *   verifying --- all elements from before meet it ---------------->  enforced, from that stamp on
 *   verifying --- one does not, or the work has failed ------------>  failed
 *   failed    --- defined again, under the gate ------------------->  verifying
 *   any of these  --- dropped, under the gate --------------------->  absent
 *   verifying, failed  --- the store is opened -------------------->  verifying
 * </pre>
 *
 * <p>While a schema is verifying or enforced, every commit keeps it ({@link RuleChecks}). A commit
 * that has looked at its elements before a schema came looks again: it compares {@code
 * SchemaVersion} under its locks, and defining excludes all commits. So the thread that verifies
 * meets every element that nobody else has looked at (R42).
 *
 * <p>Threads: any. One thread at a time changes the catalogue; all read it from {@link #current},
 * which waits for no other thread.
 */
final class GraphSchema implements AutoCloseable {
  private final TransactionManager transactions;
  private final SchemaWorker worker;
  private long defined; // so often
  private volatile RuleCatalogue catalogue = new RuleCatalogue(0, List.of());

  /**
   * @param begin begins a transaction that only reads
   */
  GraphSchema(TransactionManager transactions, Supplier<GraphTransaction> begin) {
    this.transactions = transactions;
    this.worker = new SchemaWorker(this, transactions, begin);
  }

  /**
   * Reads the definitions, when a store has been opened and before it has other transactions.
   *
   * @throws CorruptionException if one is not readable
   */
  synchronized void load() {
    List<LabelRules> all = new ArrayList<>();
    byte[] high = LabelRules.DEFINITIONS.clone();
    high[high.length - 1]++;
    try (Transaction snapshot = transactions.begin(Isolation.SNAPSHOT, true);
        ByteCursor cursor =
            snapshot.scan(TreeIds.META, LabelRules.DEFINITIONS, high, ScanOrder.FORWARD)) {
      while (cursor.next()) {
        all.add(
            LabelRules.decode(
                cursor.key(),
                cursor.value(),
                (kind, code) -> dictionary().text(kind.labels(), code),
                code -> dictionary().text(Dictionary.Kind.PROPERTY_KEY, code)));
      }
    } catch (IllegalArgumentException e) {
      throw new CorruptionException("META tree", 0, "a schema of known codes", e.getMessage());
    }
    publish(all);
  }

  /** Goes on with what was not verified when the store was closed. */
  synchronized void start() {
    worker.start();
  }

  /** Ends the work; an opening begins it anew. */
  @Override
  public void close() {
    worker.close();
  }

  /** The schemas that commits keep now. */
  RuleCatalogue current() {
    return catalogue;
  }

  /**
   * Defines a schema, or verifies one again that has failed.
   *
   * @throws IllegalArgumentException if the label has another one, or this allows everything
   */
  synchronized SchemaStatus define(LabelSchema schema) {
    Dictionary.requireName(schema.label());
    schema.keys().forEach(rule -> Dictionary.requireName(rule.key()));
    schema.ends().sources().forEach(Dictionary::requireName);
    schema.ends().targets().forEach(Dictionary::requireName);
    if (schema.isEmpty()) {
      throw new IllegalArgumentException(
          "a schema needs a rule: a key, that it is closed or single, or ends: label="
              + schema.name());
    }
    LabelRules old = catalogue.find(schema.kind(), schema.label());
    if (old != null && !old.schema().equals(schema)) {
      throw new IllegalArgumentException(
          "the label has another schema; drop it first: label=%s, there=%s, wanted=%s"
              .formatted(schema.name(), old.schema(), schema));
    }
    if (old == null) {
      Limit.SCHEMAS.check(catalogue.all().size() + 1L);
    }
    if (old == null || old.state() == SchemaState.FAILED) {
      LabelRules rules = coded(schema);
      List<LabelRules> all = without(old);
      all.add(rules);
      WriteSet writes = new WriteSet();
      writes.add(TreeIds.META, rules.definitionKey(), rules.encode());
      writes.add(TreeIds.DICTIONARY, Dictionary.schemaKey(), new byte[0]);
      transactions.commitExclusively(
          writes,
          () -> {
            transactions.schema().ruled();
            publish(all);
          });
      worker.forget(rules);
      worker.start();
    }
    return status(catalogue.find(schema.kind(), schema.label()));
  }

  private LabelRules coded(LabelSchema schema) {
    Map<Integer, KeyRule> keys = new LinkedHashMap<>();
    for (KeyRule rule : schema.keys()) {
      keys.put(dictionary().code(Dictionary.Kind.PROPERTY_KEY, rule.key()), rule);
    }
    int label = dictionary().code(schema.kind().labels(), schema.label());
    return new LabelRules(
        schema,
        ++defined,
        label,
        keys,
        vertexLabels(schema.ends().sources()),
        vertexLabels(schema.ends().targets()),
        SchemaState.VERIFYING,
        0);
  }

  private Set<Integer> vertexLabels(List<String> labels) {
    Set<Integer> codes = new LinkedHashSet<>();
    labels.forEach(label -> codes.add(dictionary().code(Dictionary.Kind.VERTEX_LABEL, label)));
    return codes;
  }

  /**
   * Drops a schema.
   *
   * @return false if there is none
   */
  synchronized boolean drop(ElementKind kind, String label) {
    LabelRules rules = catalogue.find(kind, label);
    if (rules == null) {
      return false;
    }
    List<LabelRules> left = without(rules);
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, rules.definitionKey(), null);
    if (left.isEmpty()) {
      writes.add(TreeIds.DICTIONARY, Dictionary.schemaKey(), null);
    }
    transactions.commitExclusively(
        writes,
        () -> {
          transactions.schema().ruled();
          publish(left);
        });
    worker.forget(rules);
    return true;
  }

  /** All schemas, in the order in which they were defined since the store was opened. */
  List<SchemaStatus> list() {
    return catalogue.all().stream().map(this::status).toList();
  }

  /** A schema that has to be verified; null if there is none. */
  synchronized LabelRules unfinished() {
    for (LabelRules rules : catalogue.all()) {
      if (rules.state() == SchemaState.VERIFYING) {
        return rules;
      }
    }
    return null;
  }

  /** Whether nobody has dropped a schema, or has dropped it and defined it again. */
  boolean isThere(LabelRules rules) {
    LabelRules now = catalogue.find(rules.schema().kind(), rules.schema().label());
    return now != null && now.number() == rules.number();
  }

  /** Says that all elements meet a schema, unless it was dropped. */
  synchronized void enforce(LabelRules verified) {
    if (isThere(verified)) {
      WriteSet writes = new WriteSet();
      writes.add(
          TreeIds.META, verified.definitionKey(), verified.with(SchemaState.ENFORCED, 0).encode());
      long stamp = transactions.commitExclusively(writes, () -> {});
      publish(replaced(verified.with(SchemaState.ENFORCED, stamp)));
    }
  }

  /** Says that elements break a schema: commits no longer keep it. */
  synchronized void fail(LabelRules verified) {
    if (isThere(verified)) {
      publish(replaced(verified.with(SchemaState.FAILED, 0)));
    }
  }

  private List<LabelRules> without(LabelRules rules) {
    List<LabelRules> left = new ArrayList<>(catalogue.all());
    left.remove(rules);
    return left;
  }

  private List<LabelRules> replaced(LabelRules by) {
    List<LabelRules> all = new ArrayList<>(catalogue.all());
    all.replaceAll(each -> each.isOf(by.schema().kind(), by.schema().label()) ? by : each);
    return all;
  }

  private SchemaStatus status(LabelRules rules) {
    boolean failed = rules.state() == SchemaState.FAILED;
    return new SchemaStatus(
        rules.schema(), rules.state(), worker.done(rules), failed ? worker.problem(rules) : null);
  }

  private void publish(List<LabelRules> all) {
    catalogue = new RuleCatalogue(transactions.schema().rules(), all);
  }

  private Dictionary dictionary() {
    return transactions.dictionary();
  }
}
