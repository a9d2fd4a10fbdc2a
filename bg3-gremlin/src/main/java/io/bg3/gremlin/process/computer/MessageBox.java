package io.bg3.gremlin.process.computer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.computer.MessageCombiner;
import org.apache.tinkerpop.gremlin.process.computer.MessageScope;

/**
 * The messages of one scope in one iteration. Those of a local scope are stored once, at their
 * sender, where the neighbours fetch them; those of the global scope at each receiver.
 *
 * <p>Threads: {@link #addAtSender} is called by the worker that has the sender's block, {@link
 * #addAtReceiver} by any. They are read after the iteration.
 */
final class MessageBox<M> {
  /** More than one message at a vertex, where no combiner makes them one. */
  private static final class Several extends ArrayList<Object> {
    private static final long serialVersionUID = 1L;
  }

  private final MessageScope scope;
  private final MessageCombiner<M> combiner; // null for none
  private final Blocks blocks;
  private final Column messages;
  private final Object[] locks; // one for each block; null where messages stay with the sender

  MessageBox(MessageScope scope, MessageCombiner<M> combiner, Blocks blocks, Column messages) {
    this.scope = scope;
    this.combiner = combiner;
    this.blocks = blocks;
    this.messages = messages;
    if (isLocal()) {
      locks = null;
    } else {
      locks = new Object[blocks.blocks()];
      for (int i = 0; i < locks.length; i++) {
        locks[i] = new Object();
      }
    }
  }

  MessageScope scope() {
    return scope;
  }

  boolean isLocal() {
    return scope instanceof MessageScope.Local;
  }

  /** The column of the messages, for another box to use when this one has been read. */
  Column column() {
    return messages;
  }

  void addAtSender(int number, M message) {
    add(number, message);
  }

  void addAtReceiver(int number, M message) {
    synchronized (locks[blocks.block(number)]) {
      add(number, message);
    }
  }

  @SuppressWarnings("unchecked") // with a combiner there are only messages
  private void add(int number, M message) {
    Objects.requireNonNull(message, "a message");
    Object before = messages.has(number) ? messages.get(number) : null;
    if (before == null) {
      messages.set(number, message);
    } else if (combiner != null) {
      messages.set(number, combiner.combine((M) before, message));
    } else if (before instanceof Several several) {
      several.add(message);
    } else {
      Several several = new Several();
      several.add(before);
      several.add(message);
      messages.set(number, several);
    }
  }

  boolean has(int number) {
    return messages.has(number);
  }

  /** The message at a vertex that has one, or an object for {@link #several}. */
  Object get(int number) {
    return messages.get(number);
  }

  /** The messages that an object from {@link #get} stands for; null if it is a message itself. */
  @SuppressWarnings("unchecked") // only messages are stored
  static <M> Iterator<M> several(Object stored) {
    return stored instanceof Several all ? ((List<M>) (List<?>) all).iterator() : null;
  }
}
