package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Computes how many steps a query has after TinkerPop compiles it. A strategy of TinkerPop unrolls
 * some loops: it replaces {@code repeat(out()).times(9)} by nine steps, and nested loops multiply.
 * Strategies of a source copy their traversals to every step. The time that compilation takes
 * depends on the steps at its end, and compilation does not check for interrupts; so the server
 * refuses a query that would become too large.
 *
 * <p>A validator reports the steps in their order, and a nested traversal after the step that
 * contains it. Threads: one; a plan belongs to one query.
 */
final class PlanSize {
  /** Steps that modulate a loop, before or after {@code repeat()}. */
  private static final Set<String> MODULATORS = Set.of("times", "until", "emit");

  /**
   * Steps that keep a loop from being unrolled, wherever they stand in it: no strategy removes such
   * a step or replaces it by a move along an edge. The plan assumes that any other loop is
   * unrolled.
   */
  private static final Set<String> KEPT =
      AllowList.words(
          "addE addV aggregate cap coalesce concat count cyclicPath dedup drop elementMap fold"
              + " format group groupCount inject limit local mergeE mergeV order path"
              + " project property range sack sample select simplePath sum tail tree unfold"
              + " union valueMap values");

  /**
   * Steps that compare with their arguments: a traversal among them is a value and no child of the
   * step, so what stands in it does not keep the loop from being unrolled.
   */
  private static final Set<String> COMPARING =
      AllowList.words("has hasId hasKey hasLabel hasNot hasValue is");

  /**
   * The most steps that printing a query visits. A step of TinkerPop prints each nested traversal
   * twice, for messages and for comparison, so forty levels of nesting would take years.
   */
  private static final long SHOWN = 250_000;

  /** Steps whose nested traversals become children of the step before them. */
  private static final Set<String> CONTINUING =
      AllowList.words("as by emit from option times to until with");

  private final Deque<Traversal> open = new ArrayDeque<>();
  private final long limit;
  private final int children;

  /**
   * Creates the plan of a query.
   *
   * @param limit the most steps of the compiled query
   * @param children the most nested traversals of one step
   */
  PlanSize(long limit, int children) {
    this.limit = limit;
    this.children = children;
  }

  /** A traversal begins: the query, or a traversal nested in the last step. */
  void open() {
    open.push(new Traversal());
  }

  /**
   * The innermost open traversal ends.
   *
   * @throws Refusal if the query is too large
   */
  void close() throws Refusal {
    Traversal closed = open.pop();
    long size = closed.size();
    if (closed.shown > SHOWN) {
      throw Refusal.forbidden(
          "traversals of the query are nested too deeply, or too large for their depth: steps="
              + closed.shown
              + ", limit="
              + SHOWN);
    }
    if (size > limit) {
      throw Refusal.forbidden(
          "query has too many steps when its loops are written out: steps="
              + size
              + ", limit="
              + limit
              + ", setting=server.steps.limit");
    }
    if (!open.isEmpty()) {
      open.peek().nested(size, closed.shown, closed.kept);
      if (open.peek().children > children) {
        throw Refusal.forbidden(
            "step has too many nested traversals, with its by() and option(): limit=" + children);
      }
    }
  }

  /** Adds a step to the innermost open traversal. */
  void step(String name) {
    open.peek().step(name);
  }

  /** Reports the count of the loop that {@code times()} modulates: the next or the last one. */
  void times(long times) {
    open.peek().times(times);
  }

  /** The counts of one traversal that is open. */
  private static final class Traversal {
    private long shown; // steps as printed: nested ones count twice per level
    private long done; // compiled steps, up to the last step
    private long copies = 1; // per step, by the strategies of the source
    private boolean kept;
    private boolean inSource = true;
    private int children; // of the last step
    private boolean compares; // the last step does

    private long nested; // compiled steps of the last step
    private boolean loop; // the last step is repeat()
    private boolean loopKept;
    private boolean emits;
    private long times = 1;
    private long waiting = 1; // times() that stood before the loop
    private boolean waitingEmits;

    void step(String name) {
      shown++;
      children = CONTINUING.contains(name) ? children : 0;
      inSource = false;
      if (MODULATORS.contains(name)) {
        nested++;
        if (loop) {
          emits |= !name.equals("times");
        } else {
          waitingEmits |= !name.equals("times");
        }
        return;
      }
      finish();
      kept |= KEPT.contains(name);
      compares = COMPARING.contains(name);
      nested = 1;
      loop = name.equals("repeat");
      if (loop) {
        times = waiting;
        emits = waitingEmits;
      }
      waiting = 1;
      waitingEmits = false;
    }

    void times(long said) {
      if (loop) {
        times = Math.max(times, said);
      } else {
        waiting = Math.max(waiting, said);
      }
    }

    void nested(long size, long steps, boolean isKept) {
      shown += 2 * steps;
      children++;
      if (inSource) {
        copies += size;
      } else {
        nested += size;
        kept |= isKept && !compares;
        loopKept |= loop && isKept;
      }
    }

    /** Adds the last step, which no modulator can change any more. */
    private void finish() {
      boolean written = loop && !emits && !loopKept;
      long more = written ? StepBudget.times(nested, Math.max(1, times)) : nested;
      done = Math.min(done + more, Long.MAX_VALUE / 2); // so that a sum of two does not overflow
      nested = 0;
      loop = false;
      loopKept = false;
      emits = false;
      times = 1;
    }

    long size() {
      finish();
      return StepBudget.times(done, copies);
    }
  }
}
