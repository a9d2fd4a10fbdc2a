package io.bg3.gremlin.process.computer;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.computer.MessageScope;
import org.apache.tinkerpop.gremlin.process.computer.Messenger;
import org.apache.tinkerpop.gremlin.process.computer.util.VertexProgramHelper;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Sends and receives for the vertices of one worker in one iteration, one after the other. Belongs
 * to one thread.
 */
final class VertexMessenger<M> implements Messenger<M> {
  private final ComputedGraph graph;
  private final MessageBoard<M> board;
  private ComputedVertex vertex;
  private MessageScope.Local<?> lastScope; // whose box is lastBox
  private MessageBox<M> lastBox;
  private MessageBox<M> global;

  VertexMessenger(ComputedGraph graph, MessageBoard<M> board) {
    this.graph = graph;
    this.board = board;
  }

  /** Goes to the next vertex. */
  void at(ComputedVertex next) {
    vertex = next;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // an equal scope that is another object asks the board
  public void sendMessage(MessageScope scope, M message) {
    if (scope instanceof MessageScope.Local<?> local) {
      if (lastScope != local) {
        lastScope = local;
        lastBox = board.box(local);
      }
      lastBox.addAtSender(vertex.number(), message);
      return;
    }
    if (global == null) {
      global = board.box(scope);
    }
    for (Vertex receiver : ((MessageScope.Global) scope).vertices()) {
      int number = graph.number(receiver);
      if (number >= 0) {
        global.addAtReceiver(number, message);
      }
    }
  }

  @Override
  public Iterator<M> receiveMessages() {
    return new Received();
  }

  /** The messages of all scopes for the vertex. */
  private final class Received implements Iterator<M> {
    private final ComputedVertex receiver = vertex;
    private final int number = receiver.number();
    private int scope = -1;
    private Incoming<M> incoming;
    private int part; // of the senders
    private int at;
    private int end;
    private Iterator<M> several = Collections.emptyIterator();
    private M next;

    @Override
    public boolean hasNext() {
      while (next == null && advance()) {
        // goes on
      }
      return next != null;
    }

    @Override
    public M next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      M result = next;
      next = null;
      return result;
    }

    /** Looks at one place; false if there is none left. */
    private boolean advance() {
      if (several.hasNext()) {
        next = several.next();
      } else if (at < end) {
        int sender = incoming.senders()[part].other(at++);
        if (incoming.box().has(sender)) {
          take(incoming.box().get(sender));
        }
      } else if (incoming != null
          && incoming.senders() != null
          && part + 1 < incoming.senders().length) {
        part++;
        beginPart();
      } else {
        return beginScope();
      }
      return true;
    }

    private void beginPart() {
      Adjacency senders = incoming.senders()[part];
      at = senders.begin(number);
      end = senders.end(number);
    }

    private boolean beginScope() {
      if (++scope >= board.receiving().size()) {
        return false;
      }
      incoming = board.receiving().get(scope);
      part = 0;
      at = 0;
      end = 0;
      if (!incoming.box().isLocal()) {
        if (incoming.box().has(number)) {
          take(incoming.box().get(number));
        }
      } else if (incoming.senders() == null) {
        several = new AlongEdges<>(graph, incoming, receiver);
      } else if (incoming.senders().length > 0) {
        beginPart();
      }
      return true;
    }

    @SuppressWarnings("unchecked") // only messages are stored
    private void take(Object stored) {
      Iterator<M> all = MessageBox.several(stored);
      if (all == null) {
        next = (M) stored;
      } else {
        several = all;
      }
    }
  }

  /** The messages that come along the edges of a vertex, each changed as the scope says. */
  private static final class AlongEdges<M> implements Iterator<M> {
    private final ComputedGraph graph;
    private final Incoming<M> incoming;
    private final MessageScope.Local<M> scope;
    private final ComputedVertex receiver;
    private final Traversal.Admin<Vertex, Edge> edges;
    private Edge edge;
    private Iterator<M> several = Collections.emptyIterator();

    @SuppressWarnings("unchecked") // the box holds the messages of its scope
    AlongEdges(ComputedGraph graph, Incoming<M> incoming, ComputedVertex receiver) {
      this.graph = graph;
      this.incoming = incoming;
      this.scope = (MessageScope.Local<M>) incoming.box().scope();
      this.receiver = receiver;
      this.edges = VertexProgramHelper.reverse(Incoming.edges(scope));
      if (!edges.isLocked()) { // steps for a graph of another class would read that graph
        edges.setStrategies(TraversalStrategies.GlobalCache.getStrategies(Graph.class));
      }
      edges.addStart(
          edges
              .getTraverserGenerator()
              .generate(receiver, (Step<Vertex, Vertex>) edges.getStartStep(), 1));
    }

    @Override
    public boolean hasNext() {
      while (!several.hasNext()) {
        if (!edges.hasNext()) {
          return false;
        }
        edge = edges.next();
        int sender = graph.number(sender());
        Object stored = sender < 0 ? null : incoming.box().get(sender);
        if (stored != null) {
          Iterator<M> all = MessageBox.several(stored);
          several = all == null ? one(stored) : all;
        }
      }
      return true;
    }

    @SuppressWarnings("unchecked") // only messages are stored
    private Iterator<M> one(Object stored) {
      return List.of((M) stored).iterator();
    }

    private Vertex sender() {
      return switch (incoming.sent()) {
        case OUT -> edge.outVertex();
        case IN -> edge.inVertex();
        case BOTH -> edge.outVertex().equals(receiver) ? edge.inVertex() : edge.outVertex();
      };
    }

    @Override
    public M next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return scope.getEdgeFunction().apply(several.next(), edge);
    }
  }
}
