package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes through the edges of the store for one edge label after another.
 *
 * <p>The thread works in batches. It lists each batch at a snapshot of its own. One commit has the
 * entries of a batch and the key at which the next one begins, so a crash leaves them together, and
 * an opening goes on there.
 *
 * <p>Threads: any, but for what the worker itself calls.
 */
abstract class LabelWorker extends DefinitionWorker<EdgeLabel> {
  /** Where the next batch begins when there is none. */
  static final byte[] END = {};

  private final Logger log = LoggerFactory.getLogger(getClass());
  private final String subject;

  /**
   * A worker without a thread.
   *
   * @param threadName name of its thread
   * @param subject what it does, as the beginning of a message
   * @param owner knows the labels that are left; its monitor is held while {@code next} is asked
   * @param next a label that is left, and has no problem; null if there is none
   */
  LabelWorker(
      String threadName,
      String subject,
      Object owner,
      Supplier<EdgeLabel> next,
      TransactionManager transactions) {
    super(threadName, owner, next, transactions);
    this.subject = subject;
  }

  @Override
  Object key(EdgeLabel label) {
    return label.code();
  }

  @Override
  String named(EdgeLabel label) {
    return subject + " " + label.name();
  }

  @Override
  void warn(EdgeLabel label, Throwable failure) {
    log.warn(
        "{} has stopped; declare the label again or open the store again to continue: label={}",
        subject,
        label.name(),
        failure);
  }

  /**
   * Some elements of a label, from a key on.
   *
   * @param elements how many they are
   * @param next the key at which the next batch begins, {@link #END} if there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Batch(int elements, byte[] next) {}

  /** Says what is done in a batch. */
  @FunctionalInterface
  interface Batches {
    /**
     * Does one batch.
     *
     * @param from the key at which it begins; null for the first of all
     */
    Batch run(byte[] from);
  }

  /**
   * Does batches until there is none left; false if the thread is to end before.
   *
   * @param first the key at which the first one begins; null for the first of all
   */
  boolean run(EdgeLabel label, byte[] first, Batches batches) {
    byte[] from = first;
    while (from == null || from.length > 0) {
      if (isClosed()) {
        return false;
      }
      Batch batch = batches.run(from);
      count(label, batch.elements);
      from = batch.next;
    }
    return true;
  }

  /**
   * Commits what a batch writes, with where the work goes on.
   *
   * @param progress key of the progress on a label
   * @param writes is called again if the commit conflicts
   */
  void commit(byte[] progress, byte[] next, Consumer<Transaction> writes) {
    retry(
        Isolation.STRICT,
        transaction -> {
          writes.accept(transaction);
          transaction.put(TreeIds.META, progress, next);
          return null;
        });
  }

  /**
   * The first key that an edge of an owner with a label may have, if the label comes behind that of
   * an entry; else the first key of the next owner.
   *
   * @param code of the label of the entry
   */
  static byte[] behind(long owner, int code, EdgeLabel label) {
    return code < label.code() ? EdgeKey.prefix(owner, EdgeTags.out(label.code())) : behind(owner);
  }

  /** The first key of the next owner; {@link #END} if there is none. */
  static byte[] behind(long owner) {
    byte[] next = EdgeKey.after(EdgeKey.prefix(owner));
    return next == null ? END : next;
  }
}
