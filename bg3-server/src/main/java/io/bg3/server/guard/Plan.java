package io.bg3.server.guard;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * How many steps a query has when it is compiled. TinkerPop writes some loops out, {@code
 * repeat(out()).times(9)} as nine steps, and loops in each other multiply; strategies of a source
 * copy their traversals to every step. Compiling takes time by the steps that there are then, and
 * looks at no interrupt.
 *
 * <p>Told of steps in the order in which they stand, of a traversal nested in a step after the
 * step.
 */
final class Plan {
  /** What says more about a loop, before or after it. */
  private static final Set<String> MODULATORS = Set.of("times", "until", "emit");

  /**
   * Steps with which a loop is not written out, wherever they stand in it: no strategy takes them
   * away or makes a move along an edge of them. A loop of other steps counts as written out.
   */
  private static final Set<String> KEPT =
      AllowList.words(
          "addE addV aggregate cap coalesce concat count cyclicPath dedup drop elementMap fold"
              + " format group groupCount inject limit local mergeE mergeV order path"
              + " project property range sack sample select simplePath sum tail tree unfold"
              + " union valueMap values");

  /**
   * The most steps of a query as it is shown. A step of TinkerPop makes a text of each of its
   * nested traversals twice, for messages and to compare, so that forty in each other take years.
   */
  private static final long SHOWN = 250_000;

  /** Steps whose traversals become those of the step before them. */
  private static final Set<String> CONTINUING =
      AllowList.words("as by emit from option times to until with");

  private final Deque<Traversal> open = new ArrayDeque<>();
  private final long limit;
  private final int children;

  /**
   * @param limit the most steps of a query
   * @param children the most traversals of one step
   */
  Plan(long limit, int children) {
    this.limit = limit;
    this.children = children;
  }

  /** A traversal begins, within the step that came last if there is one. */
  void open() {
    open.push(new Traversal());
  }

  /** The traversal that began last ends. */
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

  /** A step of the traversal that is open. */
  void step(String name) {
    open.peek().step(name);
  }

  /** How often the loop runs that comes next, or came last. */
  void times(long times) {
    open.peek().times(times);
  }

  /** One traversal. */
  private static final class Traversal {
    private long shown; // steps, those of nested traversals twice at each level
    private long done; // steps whose loops are known
    private long copies = 1; // of what the source's strategies add to each step
    private boolean kept;
    private boolean inSource = true;
    private int children; // of the step that came last

    private long nested; // in the step that came last
    private boolean loop; // whether that is one
    private boolean loopKept;
    private boolean emits;
    private long times = 1;
    private long waiting = 1; // how often a loop runs that comes next
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
        kept |= isKept;
        loopKept |= loop && isKept;
      }
    }

    /** The step that came last is whole. */
    private void finish() {
      boolean written = loop && !emits && !loopKept;
      long more = written ? Allowance.times(nested, Math.max(1, times)) : nested;
      done = Math.min(done + more, Long.MAX_VALUE / 2); // a sum of two is no negative number
      nested = 0;
      loop = false;
      loopKept = false;
      emits = false;
      times = 1;
    }

    long size() {
      finish();
      return Allowance.times(done, copies);
    }
  }
}
