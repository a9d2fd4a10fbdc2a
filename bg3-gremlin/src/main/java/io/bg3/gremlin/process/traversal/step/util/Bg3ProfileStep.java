package io.bg3.gremlin.process.traversal.step.util;

import io.bg3.core.tree.ReadCounts;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.EmptyStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ProfileStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;

/**
 * Stands behind the step by which {@code profile()} measures another one, passes everything on, and
 * adds to the metrics what the measured step has read of the store. It takes the difference that a
 * call makes to what its thread has read, and leaves out what was read in front of the measured
 * step: that went through the step of this class there. So TinkerPop's own steps have counts too,
 * {@code values()} for instance, and a step with nested traversals has what these have read among
 * its own, as it has their time.
 *
 * <pre>
 *   V()   profile   this: r1          out()   profile   this: r2, of which out() has r2 - r1
 * </pre>
 *
 * <p>A step that has read nothing gets no annotation.
 *
 * <p>Threads: the one that runs the traversal.
 *
 * @param <S> what it passes on
 */
public final class Bg3ProfileStep<S> extends AbstractStep<S, S> {
  /** The name of the number of visits of leaves among the annotations of a step's metrics. */
  public static final String PAGES = "pagesVisited";

  /** The name of the number of entries that scans have copied out of leaves. */
  public static final String ENTRIES = "entriesScanned";

  /** The name of the number of keys that were looked up. */
  public static final String LOOK_UPS = "keysLookedUp";

  /** The name of the number of scans of all vertices or edges; absent if there were none. */
  public static final String FULL_SCANS = "fullScans";

  /** The name of the number of reads of extents. */
  public static final String DEVICE_READS = "deviceReads";

  /** The name of the number of bytes of these reads. */
  public static final String DEVICE_BYTES = "deviceBytes";

  private static final long serialVersionUID = 1L;

  /** The reads in calls of this step, those in front of the measured step too. */
  private transient ReadCounts passed;

  /** A step of a traversal, behind a step that measures. */
  public Bg3ProfileStep(Traversal.Admin<?, ?> traversal) {
    super(traversal);
  }

  @Override
  public boolean hasNext() {
    ReadCounts before = ReadCounts.ofThread();
    try {
      return super.hasNext();
    } finally {
      note(ReadCounts.ofThread().since(before));
    }
  }

  @Override
  public Traverser.Admin<S> next() {
    ReadCounts before = ReadCounts.ofThread();
    try {
      return super.next();
    } finally {
      note(ReadCounts.ofThread().since(before));
    }
  }

  @Override
  protected Traverser.Admin<S> processNextStart() {
    return starts.next();
  }

  private ReadCounts passed() {
    return passed == null ? ReadCounts.NONE : passed;
  }

  private void note(ReadCounts read) {
    if (read.equals(ReadCounts.NONE)) {
      return;
    }
    passed = passed().plus(read);
    Step<?, ?> measured = getPreviousStep();
    while (!(measured instanceof ProfileStep<?> profile)) { // others may insert steps between
      measured = measured.getPreviousStep();
    }
    ReadCounts own = passed.since(before(profile));
    if (!own.equals(ReadCounts.NONE)) {
      profile.getMetrics().ifPresent(metrics -> show(own, metrics));
    }
  }

  /** The reads in front of the step that was measured. */
  private static ReadCounts before(Step<?, ?> measured) {
    Step<?, ?> step = measured.getPreviousStep();
    while (!(step instanceof EmptyStep)) {
      if (step instanceof Bg3ProfileStep<?> before) {
        return before.passed();
      }
      step = step.getPreviousStep();
    }
    return ReadCounts.NONE;
  }

  private static void show(ReadCounts read, MutableMetrics into) {
    if (into.isFinalized()) {
      return;
    }
    into.setAnnotation(PAGES, read.pages());
    into.setAnnotation(ENTRIES, read.entries());
    into.setAnnotation(LOOK_UPS, read.lookUps());
    if (read.fullScans() > 0) {
      into.setAnnotation(FULL_SCANS, read.fullScans());
    }
    into.setAnnotation(DEVICE_READS, read.deviceReads());
    into.setAnnotation(DEVICE_BYTES, read.deviceBytes());
  }

  @Override
  public Bg3ProfileStep<S> clone() {
    @SuppressWarnings("unchecked") // a clone is of its original's class
    Bg3ProfileStep<S> copy = (Bg3ProfileStep<S>) super.clone();
    copy.passed = null;
    return copy;
  }
}
