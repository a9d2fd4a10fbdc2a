package io.bg3.gremlin.process.computer;

import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.computer.MessageCombiner;
import org.apache.tinkerpop.gremlin.process.computer.MessageScope;

/**
 * The messages of a computation: those that are sent in an iteration, and those that were sent in
 * the one before and are received.
 *
 * <p>Threads: workers call {@link #box}; {@link #endIteration} while none runs.
 */
final class MessageBoard<M> {
  private final Blocks blocks;
  private final Adjacencies adjacencies;
  private final boolean isFiltered;
  private final MessageCombiner<M> combiner;
  private final List<Column> spare = new ArrayList<>(); // cleared
  private List<MessageBox<M>> sending = new ArrayList<>();
  private List<Incoming<M>> receiving = List.of();

  /**
   * @param combiner null for none
   * @param isFiltered whether a vertex may not see all of its edges
   */
  MessageBoard(
      Blocks blocks, Adjacencies adjacencies, boolean isFiltered, MessageCombiner<M> combiner) {
    this.blocks = blocks;
    this.adjacencies = adjacencies;
    this.isFiltered = isFiltered;
    this.combiner = combiner;
  }

  /** The box that takes messages of a scope in this iteration. */
  synchronized MessageBox<M> box(MessageScope scope) {
    for (MessageBox<M> box : sending) {
      if (box.scope() == scope || box.scope().equals(scope)) {
        return box;
      }
    }
    Column column = spare.isEmpty() ? new Column(blocks) : spare.remove(spare.size() - 1);
    MessageBox<M> made = new MessageBox<>(scope, combiner, blocks, column);
    sending.add(made);
    return made;
  }

  /** The messages of the iteration before. */
  List<Incoming<M>> receiving() {
    return receiving;
  }

  /** Makes what was sent what is received. */
  void endIteration() {
    for (Incoming<M> read : receiving) {
      Column column = read.box().column();
      column.clear();
      spare.add(column);
    }
    List<Incoming<M>> next = new ArrayList<>();
    for (MessageBox<M> box : sending) {
      next.add(Incoming.of(box, adjacencies, isFiltered));
    }
    receiving = List.copyOf(next);
    sending = new ArrayList<>();
  }
}
