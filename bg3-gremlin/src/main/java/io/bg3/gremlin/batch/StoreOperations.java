package io.bg3.gremlin.batch;

import io.bg3.batch.BatchOperations;
import io.bg3.batch.BatchProperties;
import io.bg3.batch.OperationCode;
import io.bg3.core.graph.SortOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the operations of a request as work on a store. It does none of it, so that a request
 * whose end cannot be decoded has no effect. Belongs to one thread.
 */
final class StoreOperations implements BatchOperations {
  private final List<BatchOperation> operations = new ArrayList<>();

  /** The operations in the order of the request. */
  List<BatchOperation> operations() {
    return operations;
  }

  @Override
  public void addLink(
      String label,
      long source,
      long target,
      long sortKey,
      boolean visible,
      BatchProperties properties) {
    write(
        OperationCode.ADD_LINK,
        label,
        source,
        store -> store.addLink(label, source, target, sortKey, visible, properties));
  }

  @Override
  public void deleteLink(String label, long source, long target, boolean expunge) {
    write(
        OperationCode.DELETE_LINK,
        label,
        source,
        store -> store.deleteLink(label, source, target, expunge));
  }

  @Override
  public void getLinks(String label, long source, long... targets) {
    read(
        OperationCode.GET_LINKS,
        label,
        source,
        (store, answer) -> store.links(label, source, targets, answer));
  }

  @Override
  public void listLinks(
      String label, long source, long low, long high, boolean descending, int offset, int limit) {
    SortOrder order = descending ? SortOrder.DESCENDING : SortOrder.ASCENDING;
    read(
        OperationCode.LIST_LINKS,
        label,
        source,
        (store, answer) -> store.list(label, source, low, high, order, offset, limit, answer));
  }

  @Override
  public void countLinks(String label, long source) {
    read(
        OperationCode.COUNT_LINKS,
        label,
        source,
        (store, answer) -> store.count(label, source, answer));
  }

  @Override
  public void addNode(String label, BatchProperties properties) {
    write(OperationCode.ADD_NODE, label, 0, store -> store.addNode(label, properties));
  }

  @Override
  public void getNode(String label, long id) {
    read(OperationCode.GET_NODE, label, id, (store, answer) -> store.node(label, id, answer));
  }

  @Override
  public void updateNode(String label, long id, BatchProperties properties) {
    write(OperationCode.UPDATE_NODE, label, id, store -> store.updateNode(label, id, properties));
  }

  @Override
  public void deleteNode(String label, long id) {
    write(OperationCode.DELETE_NODE, label, id, store -> store.deleteNode(label, id));
  }

  private void write(OperationCode code, String label, long vertex, BatchOperation.Write write) {
    operations.add(new BatchOperation(code, label, vertex, write, null));
  }

  private void read(OperationCode code, String label, long vertex, BatchOperation.Read read) {
    operations.add(new BatchOperation(code, label, vertex, null, read));
  }
}
