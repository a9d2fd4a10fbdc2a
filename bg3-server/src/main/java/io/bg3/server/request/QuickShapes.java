package io.bg3.server.request;

import io.bg3.server.dispatch.RunningRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;
import org.apache.tinkerpop.gremlin.server.op.traversal.TraversalOpProcessor;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Tells which requests an event loop may run: small traversals that only read, or write a little,
 * whose like has taken less than a limit on average: of a processor in a worker, and at all in an
 * event loop. One that has waited for the disk counts as one that took long, however little of a
 * processor it took. Requests are alike if they have the same steps with the same names of labels
 * and properties; the elements that they begin at do not matter.
 *
 * <p>The averages of all requests are in one table, in which two kinds may share a place. Then both
 * are quick or neither is, which costs time and nothing else; and so does a change that another
 * thread's change undoes.
 *
 * <p>Threads: any.
 */
final class QuickShapes {
  /** Stands for all requests that no event loop runs. */
  static final int NONE = 0;

  /** Requests that workers run behind one that no event loop should have run. */
  static final int PAUSE = 64;

  /** The part of the difference to the average by which a new measurement changes it. */
  private static final int PART = 8;

  private static final int PLACES = 1 << 10;
  private static final int MOST_STEPS = 16; // those in nested traversals included
  private static final int MOST_ARGUMENTS = 32; // of a step

  /** Steps that only read; how much they read is measured. */
  private static final Set<String> READING =
      Set.of(
          "V",
          "E",
          "out",
          "in",
          "both",
          "outE",
          "inE",
          "bothE",
          "outV",
          "inV",
          "bothV",
          "otherV",
          "has",
          "hasLabel",
          "hasId",
          "hasNot",
          "values",
          "valueMap",
          "elementMap",
          "properties",
          "id",
          "label",
          "limit",
          "range",
          "skip",
          "tail",
          "order",
          "by",
          "count",
          "sum",
          "min",
          "max",
          "mean",
          "dedup",
          "is",
          "identity",
          "constant",
          "fold",
          "unfold",
          "not",
          "where",
          "filter",
          "and",
          "or",
          "project",
          "select",
          "as",
          "coalesce",
          "union",
          "path",
          "discard");

  /** Steps that write for each element that comes to them, or once. */
  private static final Set<String> WRITING =
      Set.of("addV", "addE", "mergeV", "mergeE", "property", "from", "to", "option");

  /** Set in the shapes of requests that write. */
  private static final int WRITES = 2;

  /** Steps whose first argument is a value, and not the name of something. */
  private static final Set<String> OF_VALUES = Set.of("V", "E", "hasId", "is", "constant");

  /** Steps whose arguments say how much is read. */
  private static final Set<String> OF_NUMBERS = Set.of("limit", "range", "skip", "tail");

  private final int quick; // nanoseconds of a processor
  private final int most; // that a request counts for, and one that was not measured
  private final AtomicIntegerArray averages =
      new AtomicIntegerArray(PLACES); // the most minus these
  private final AtomicIntegerArray pauses = new AtomicIntegerArray(PLACES);

  /**
   * Nothing is quick yet.
   *
   * @param limit average nanoseconds above which workers run a request
   */
  QuickShapes(long limit) {
    this.quick = (int) limit;
    this.most = 2 * quick;
  }

  /** The shape of a request; {@link #NONE} if no event loop may run it. */
  static int of(RequestMessage request) {
    if (!Tokens.OPS_BYTECODE.equals(request.getOp())
        || !TraversalOpProcessor.OP_PROCESSOR_NAME.equals(request.getProcessor())
        || !(request.getArgs().get(Tokens.ARGS_GREMLIN) instanceof Bytecode query)) {
      return NONE;
    }
    Hash hash = new Hash();
    return hash.add(query) ? (hash.value & ~WRITES) | (hash.writes ? WRITES : 0) | 1 : NONE;
  }

  /** Whether requests of this shape may write. */
  static boolean writes(int shape) {
    return (shape & WRITES) != 0;
  }

  /** Whether requests of this shape are quick. */
  boolean isQuick(int shape) {
    return shape != NONE && average(shape) < quick && pauses.getOpaque(place(shape)) == 0;
  }

  /**
   * Takes note of a request of this shape. Called by its thread.
   *
   * @param isOver false if a worker runs it again
   */
  void ran(int shape, RunningRequest running, boolean isOver) {
    if (shape == NONE) {
      return;
    }
    long ofProcessor = running.processorNanos();
    boolean hasReadDevice = running.read().deviceReads() > 0;
    if (running.isQuick()) {
      boolean isByWatch = running.ending().isPresent() && !running.isLeftToWorker();
      boolean hasLeft = !isOver && !isByWatch;
      ranQuickly(shape, running.elapsedNanos(), ofProcessor, hasReadDevice, hasLeft);
    } else {
      ranByWorker(shape, ofProcessor, hasReadDevice);
    }
  }

  /**
   * Takes note of a request of this shape that a worker has run.
   *
   * @param nanos that the thread had a processor
   * @param hasReadDevice whether it has read from the disk
   */
  void ranByWorker(int shape, long nanos, boolean hasReadDevice) {
    count(shape, hasReadDevice ? most : nanos);
    int pause = pauses.getOpaque(place(shape));
    if (pause > 0) {
      pauses.setOpaque(place(shape), pause - 1);
    }
  }

  /**
   * Takes note of a request of this shape that an event loop has run. Workers run the next ones if
   * it has used a processor for long or read from the disk, if the loop left it to a worker by
   * itself, because of an error or of the size of the answer, and if those before have taken long
   * as well. A single one that has waited may have waited for a processor.
   *
   * @param nanos that it took
   * @param ofProcessor that the thread had a processor
   * @param hasReadDevice whether it has read from the disk
   * @param hasLeft whether the loop could not answer it, in whatever time
   */
  void ranQuickly(int shape, long nanos, long ofProcessor, boolean hasReadDevice, boolean hasLeft) {
    count(shape, nanos);
    if (ofProcessor > quick || hasReadDevice || hasLeft || average(shape) >= quick) {
      pauses.setOpaque(place(shape), PAUSE);
    }
  }

  private void count(int shape, long nanos) {
    int average = average(shape);
    int counted = (int) Math.min(nanos, most);
    averages.setOpaque(place(shape), most - (average + (counted - average) / PART));
  }

  private int average(int shape) {
    return most - averages.getOpaque(place(shape));
  }

  private static int place(int shape) {
    return (shape ^ shape >>> 16) >>> 1 & PLACES - 1; // the lowest bit is set in all
  }

  /** Goes through a traversal. */
  private static final class Hash {
    private int value = 1;
    private int steps;
    private boolean writes;

    /** Whether the traversal may be a quick one. */
    boolean add(Bytecode query) {
      if (!query.getSourceInstructions().isEmpty()) {
        return false;
      }
      List<Bytecode.Instruction> instructions = query.getStepInstructions();
      steps += instructions.size();
      if (steps > MOST_STEPS) {
        return false;
      }
      for (Bytecode.Instruction step : instructions) {
        boolean isWriting = WRITING.contains(step.getOperator());
        if (!(isWriting || READING.contains(step.getOperator())) || !addStep(step)) {
          return false;
        }
        writes |= isWriting;
      }
      add(0); // the end
      return true;
    }

    private boolean addStep(Bytecode.Instruction step) {
      Object[] arguments = step.getArguments();
      add(step.getOperator().hashCode());
      add(arguments.length);
      if (arguments.length > MOST_ARGUMENTS) {
        return false;
      }
      for (int i = 0; i < arguments.length; i++) {
        Object argument = arguments[i];
        if (i == 0 && argument instanceof String && !OF_VALUES.contains(step.getOperator())) {
          add(argument.hashCode());
        } else if (argument instanceof Number && OF_NUMBERS.contains(step.getOperator())) {
          add(argument.hashCode());
        } else if (argument instanceof Map<?, ?> properties) {
          if (!add(properties)) {
            return false;
          }
        } else if (argument instanceof Bytecode nested ? !add(nested) : !isPlain(argument)) {
          return false;
        }
      }
      return true;
    }

    /** Adds the names of properties, and that of a label. */
    private boolean add(Map<?, ?> properties) {
      if (properties.size() > MOST_ARGUMENTS) {
        return false;
      }
      for (Map.Entry<?, ?> property : properties.entrySet()) {
        Object key = property.getKey();
        boolean isNamed = key instanceof String || key instanceof Enum<?>;
        if (!isNamed || !isSingle(property.getValue())) {
          return false;
        }
        add(key instanceof Enum<?> word ? word.name().hashCode() : key.hashCode());
        add(T.label.equals(key) ? Objects.hashCode(property.getValue()) : 0);
      }
      return true;
    }

    private void add(int hash) {
      value = 31 * value + hash;
    }

    private static boolean isPlain(Object value) {
      if (value instanceof ConnectiveP<?> several) {
        return several.getPredicates().size() <= MOST_ARGUMENTS
            && several.getPredicates().stream().allMatch(Hash::isPlain);
      }
      if (value instanceof P<?> predicate) {
        return (predicate.getBiPredicate() instanceof Compare
                || predicate.getBiPredicate() instanceof Contains)
            && isValue(predicate.getValue());
      }
      return isValue(value);
    }

    private static boolean isValue(Object value) {
      return isSingle(value)
          || (value instanceof Collection<?> several
              && several.size() <= MOST_ARGUMENTS
              && several.stream().allMatch(Hash::isSingle));
    }

    private static boolean isSingle(Object value) {
      return value == null
          || value instanceof String
          || value instanceof Number
          || value instanceof Boolean
          || value instanceof Enum<?>;
    }
  }
}
