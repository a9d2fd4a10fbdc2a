package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.TransactionManager;

/**
 * The edge labels that become counted though they have edges already (R44).
 *
 * <pre>
 *   not counted --- declared, under the gate -------------------->  building
 *   building    --- every vertex with edges has its counter ----->  ready, from that stamp on
 *   building    --- the store is opened ------------------------->  building, where it was
 * </pre>
 *
 * <p>While a label is building, every commit that adds or removes its edges keeps the counters of
 * their sources, and makes those that are not there ({@code PartialCounters}). A transaction that
 * has added edges before the label was declared counts them when it commits ({@link
 * EdgeCounts#flush}). The {@link CounterWorker} has the counters of all other vertices made.
 * Queries scan until then, and so do those at older snapshots afterwards.
 *
 * <p>Threads: any. A form changes under the monitor of {@link EdgeLabels#changes}, which is taken
 * before that of this object.
 */
final class EdgeCounting implements AutoCloseable {
  private final TransactionManager transactions;
  private final EdgeLabels labels;
  private final CounterWorker worker;

  EdgeCounting(TransactionManager transactions, EdgeLabels labels) {
    this.transactions = transactions;
    this.labels = labels;
    this.worker = new CounterWorker(this, transactions);
  }

  /** Finds what was building, when a store has been opened and before it has transactions. */
  synchronized void load() {
    for (EdgeLabel label : labels.declared()) {
      if (label.isBuilding()) {
        transactions.partialCounters().begin(label.code(), label.visibleEntries());
      }
    }
  }

  /** Goes on with what was building when the store was closed. */
  synchronized void start() {
    worker.start();
  }

  /** Ends the work; an opening goes on with it. */
  @Override
  public void close() {
    worker.close();
  }

  /**
   * Has a label become counted that is in use, if it lacks nothing else of a form; goes on if it is
   * becoming so and the work has stopped.
   *
   * @return false if the form is another one, or the label is not in use
   * @throws IllegalStateException if a load fills the store, whose commits count nothing
   */
  boolean begin(String name, EdgeLabelForm wanted) {
    synchronized (labels.changes()) {
      return tryToBegin(name, wanted);
    }
  }

  private synchronized boolean tryToBegin(String name, EdgeLabelForm wanted) {
    int code = dictionary().find(Dictionary.Kind.EDGE_LABEL, name);
    if (code == 0 || !wanted.counted()) {
      return false;
    }
    EdgeLabel label = labels.of(code);
    EdgeLabelForm form = label == null ? EdgeLabelForm.plain() : label.form();
    if (form.equals(wanted)) {
      goOn(label);
      return true;
    }
    if (form.ttlMillis() > 0 || !form.asCounted().equals(wanted)) {
      return false;
    }
    EdgeLabel counted = label == null ? new EdgeLabel(name, code, form, 0, false, null) : label;
    byte[] building = wanted.encode(counted.sortKeyCode(), true, counted.added());
    transactions.commitExclusively(
        labels.formOf(counted, building),
        () -> GraphLoad.requireNone(transactions, name),
        () -> {
          transactions.partialCounters().begin(code, counted.visibleEntries());
          dictionary().changeForm(code, building);
          counted.keepCounters(transactions.schema().counters() + 1);
          if (label == null) {
            labels.add(counted);
          }
          transactions.schema().counted();
        });
    worker.start();
    return true;
  }

  /** Takes up a label again on which the work has stopped with a problem. */
  private void goOn(EdgeLabel label) {
    if (worker.problem(label) != null) {
      worker.goOn(label);
      worker.start();
    }
  }

  /** How far the counters of a label are, null if it is not counted. */
  CounterStatus status(EdgeLabel label) {
    if (!label.keepsCounters()) {
      return null;
    }
    CounterState state = label.isBuilding() ? CounterState.BUILDING : CounterState.READY;
    return new CounterStatus(state, worker.done(label), worker.problem(label));
  }

  /** A label whose counters have to be built, and can be; null if there is none. */
  synchronized EdgeLabel unfinished() {
    for (EdgeLabel label : labels.declared()) {
      if (label.isBuilding() && worker.problem(label) == null) {
        return label;
      }
    }
    return null;
  }

  /** Lets queries read the counters of a label of which every vertex has its own. */
  void finish(EdgeLabel label) {
    synchronized (labels.changes()) {
      byte[] ready = label.form().encode(label.sortKeyCode(), false, label.added());
      WriteSet writes = labels.formOf(label, ready);
      writes.add(TreeIds.META, GraphKeys.counting(label.code()), null);
      long stamp =
          transactions.commitExclusively(
              writes, () -> transactions.partialCounters().end(label.code()));
      dictionary().changeForm(label.code(), ready);
      label.ready(stamp);
    }
  }

  private Dictionary dictionary() {
    return transactions.dictionary();
  }
}
