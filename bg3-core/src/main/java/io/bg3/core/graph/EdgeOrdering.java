package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.TransactionManager;

/**
 * The edge labels that become ordered though they have edges already (R49, R50).
 *
 * <pre>
 *   not ordered --- declared, under the gate -------------------->  verifying
 *   verifying   --- an edge lacks the sort key, under the gate -->  not ordered, with a problem
 *   verifying   --- each edge has it, under the gate ------------>  building
 *   building    --- each edge has its entry in the order -------->  ready, from that stamp on
 *   any of these --- the store is opened ------------------------>  the same, where it was
 * </pre>
 *
 * <p>From the declaration on, every commit requires the sort key of the edges that it writes. Once
 * each edge has it, every commit keeps the entries in the order of those that it writes; both are
 * done by {@link OrderEntries}, also for what a transaction had written before. The {@link
 * OrderWorker} looks at all other edges, and then adds their entries. Queries sort until the order
 * is ready, and so do those at older snapshots afterwards.
 *
 * <p>Threads: any. A form changes under the monitor of {@link EdgeLabels#changes}, which is taken
 * before that of this object.
 */
final class EdgeOrdering implements AutoCloseable {
  private final TransactionManager transactions;
  private final EdgeLabels labels;
  private final OrderWorker worker;

  EdgeOrdering(TransactionManager transactions, EdgeLabels labels) {
    this.transactions = transactions;
    this.labels = labels;
    this.worker = new OrderWorker(this, transactions);
  }

  /** Goes on with what was not ready when the store was closed. */
  synchronized void start() {
    worker.start();
  }

  /** Ends the work; an opening goes on with it. */
  @Override
  public void close() {
    worker.close();
  }

  /**
   * Has a label become ordered that is in use, if it lacks nothing else of a form than that and
   * perhaps counters; goes on if it is becoming so and the work has stopped.
   *
   * @return false if the form is another one, or the label is not in use
   * @throws IllegalStateException if a load fills the store, whose commits keep no order
   */
  boolean begin(String name, EdgeLabelForm wanted) {
    synchronized (labels.changes()) {
      return tryToBegin(name, wanted);
    }
  }

  private synchronized boolean tryToBegin(String name, EdgeLabelForm wanted) {
    int code = dictionary().find(Dictionary.Kind.EDGE_LABEL, name);
    if (code == 0 || wanted.sortKey() == null) {
      return false;
    }
    EdgeLabel known = labels.of(code);
    EdgeLabelForm form = known == null ? EdgeLabelForm.plain() : known.form();
    if (known != null && known.added() != null && form.equals(wanted)) {
      goOn(known);
      return true;
    }
    EdgeLabelForm ordered = form.orderedBy(wanted.sortKey(), wanted.order());
    boolean addsOrder = ordered.equals(wanted) || isCounted(ordered, wanted);
    if (form.sortKey() != null || form.ttlMillis() > 0 || !addsOrder) {
      return false;
    }
    Dictionary.requireName(wanted.sortKey());
    int sortKey = dictionary().code(Dictionary.Kind.PROPERTY_KEY, wanted.sortKey());
    EdgeLabel label = known == null ? new EdgeLabel(name, code, form, 0, false, null) : known;
    worker.forget(label);
    AddedOrder verifying = new AddedOrder(sortKey, OrderState.VERIFYING, 0);
    change(
        label,
        ordered,
        verifying,
        () -> GraphLoad.requireNone(transactions, name),
        known == null ? () -> labels.add(label) : () -> {});
    worker.start();
    return true;
  }

  private static boolean isCounted(EdgeLabelForm ordered, EdgeLabelForm wanted) {
    return wanted.counted() && ordered.asCounted().equals(wanted);
  }

  /**
   * Changes how far the order of a label is, and what commits do for it. The caller holds the
   * monitor of {@link EdgeLabels#changes}: the label may become counted at any other time.
   *
   * @param first is run before, under the gate; if it throws, nothing changes
   */
  private void change(
      EdgeLabel label, EdgeLabelForm form, AddedOrder added, Runnable first, Runnable then) {
    assert Thread.holdsLock(labels.changes());
    byte[] encoded =
        form.encode(added == null ? 0 : added.sortKeyCode(), label.isBuilding(), added);
    transactions.commitExclusively(
        labels.formOf(label, encoded),
        first,
        () -> {
          dictionary().changeForm(label.code(), encoded);
          label.setAdded(added, form);
          then.run();
          transactions.schema().ordered();
        });
  }

  /** Takes up a label again on which the work has stopped with a problem. */
  private void goOn(EdgeLabel label) {
    if (worker.problem(label) != null) {
      worker.forget(label);
      worker.start();
    }
  }

  /** How far the order of a label is, null if it has none. */
  OrderStatus status(EdgeLabel label) {
    if (label.isOrdered()) {
      return new OrderStatus(OrderState.READY, 0, null);
    }
    AddedOrder added = label.added();
    String problem = worker.problem(label);
    if (added == null && problem == null) {
      return null;
    }
    OrderState state = added == null ? OrderState.FAILED : added.state();
    return new OrderStatus(state, worker.done(label), problem);
  }

  /** A label whose order is not ready, and can be worked on; null if there is none. */
  synchronized EdgeLabel unfinished() {
    for (EdgeLabel label : labels.declared()) {
      AddedOrder added = label.added();
      if (added != null && added.state() != OrderState.READY && worker.problem(label) == null) {
        return label;
      }
    }
    return null;
  }

  /** Says that an edge lacks the sort key: the label is what it was before, and has no order. */
  void fail(EdgeLabel label, String problem) {
    synchronized (labels.changes()) {
      worker.stop(label, problem); // first: a label without an order has failed if it has a problem
      change(label, label.form().unordered(), null, () -> {}, () -> {});
    }
  }

  /** Has commits keep the order of a label of which each edge has its sort key. */
  void build(EdgeLabel label) {
    synchronized (labels.changes()) {
      change(label, label.form(), label.added().in(OrderState.BUILDING, 0), () -> {}, () -> {});
    }
  }

  /** Lets queries read the order of a label of which each edge stands in it. */
  void finish(EdgeLabel label) {
    synchronized (labels.changes()) {
      AddedOrder ready = label.added().in(OrderState.READY, 0);
      byte[] encoded = label.form().encode(ready.sortKeyCode(), label.isBuilding(), ready);
      WriteSet writes = labels.formOf(label, encoded);
      writes.add(TreeIds.META, GraphKeys.ordering(label.code()), null);
      long stamp = transactions.commitExclusively(writes, () -> {});
      dictionary().changeForm(label.code(), encoded);
      label.setAdded(ready.in(OrderState.READY, stamp), label.form());
    }
  }

  private Dictionary dictionary() {
    return transactions.dictionary();
  }
}
