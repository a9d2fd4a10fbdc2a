package io.bg3.core.forest;

import io.bg3.core.entry.Horizon;
import io.bg3.core.tree.EntrySearch;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeSize;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The dedicated trees that may have lost all their entries without anybody knowing of which owner
 * they are (R57). Two kinds of look find them:
 *
 * <pre>
 *                      sweep                        pass
 *   begins             a flush has stored a leaf    {@link #noteAll}, or a rest is over
 *                      without entries
 *   looks at           the table of the family      the DIRECTORY tree
 *   of each tree       what is in memory            leaf by leaf, loaded if need be
 *   meets a tree in    notes the family: a pass,    reads it
 *   storage            after a rest
 * </pre>
 *
 * <p>Neither takes a tree away: they name owners, and a {@link TreeRemoval} looks again. What is
 * kept is a note for each family, and the place of one pass.
 *
 * <p>Threads: belongs to the one that moves owners. No other one takes trees away, so a tree that
 * the directory names stays during a look.
 */
public final class EmptiedTrees implements UnnoticedOwners {
  private final Forest forest;
  private final Supplier<Horizon> horizon;
  private final BitSet noted = new BitSet(); // families, for the next pass
  private final SearchRests later; // of families
  private DirectoryWalk pass; // null if none is under way
  private EntrySearch search; // of the tree of an owner of the pass; null if none is under way
  private FamilyOwner owner;

  /**
   * The trees of a forest.
   *
   * @param horizon asked for each look: its clock tells which entries have expired
   */
  public EmptiedTrees(Forest forest, Supplier<Horizon> horizon) {
    this(forest, horizon, System::nanoTime);
  }

  /** The trees of a forest, by a clock of the caller's, in nanoseconds. */
  public EmptiedTrees(Forest forest, Supplier<Horizon> horizon, LongSupplier nanos) {
    this.forest = forest;
    this.horizon = horizon;
    this.later = new SearchRests(nanos);
  }

  /** Whether {@link #sweep} would look at any tree. */
  public boolean maySweep() {
    return forest.byFamily().anyEmptied();
  }

  /**
   * Looks at the dedicated trees of each family in which a flush has stored a leaf without entries
   * since this was called last. Loads no page but those that a visit loads.
   *
   * @param visit gets the owners of trees that may be empty, in a family also of some in storage
   *     whose images are small. May take the tree away
   */
  public void sweep(Consumer<FamilyOwner> visit) {
    Horizon now = horizon.get();
    for (FamilyTrees of : forest.byFamily().all()) {
      if (of.mayHaveEmptied() && !of.visitEmptied(now.expiry(), visit)) {
        later.note(of.family());
      }
    }
  }

  /** Has a pass look at all dedicated trees. */
  public void noteAll() {
    forest.byFamily().all().forEach(of -> noted.set(of.family()));
  }

  /** Has a pass look at the dedicated trees of a family, after a rest. */
  public void noteLater(int family) {
    later.note(family);
  }

  @Override
  public boolean isEmpty() {
    if (pass != null) {
      return false;
    }
    for (FamilyTrees of : forest.byFamily().all()) {
      if (isDue(of)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the trees of a family are to be looked at now. */
  private boolean isDue(FamilyTrees of) {
    int family = of.family();
    return of.directory().count() > 0 && (noted.get(family) || later.isDue(family));
  }

  /** Looks at the next leaf of the pass: of the directory, or of a tree. */
  @Override
  public List<FamilyOwner> lookAtNext() {
    if (pass == null) {
      begin();
    }
    if (pass == null || !findTree()) {
      return List.of();
    }
    search.lookAtNext(horizon.get().expiry());
    if (!search.isOver()) {
      return List.of();
    }
    boolean isNamed = !search.hasFound() || lacksDegrees(search.tree());
    search = null;
    endIfOver();
    return isNamed ? List.of(owner) : List.of();
  }

  private void begin() {
    BitSet due = new BitSet();
    for (FamilyTrees of : forest.byFamily().all()) {
      if (isDue(of)) {
        due.set(of.family());
        later.begin(of.family()); // first: what is noted from here on is looked at again
      }
    }
    noted.clear();
    pass = due.isEmpty() ? null : new DirectoryWalk(forest.directoryTree(), due);
  }

  /** Sees to it that a tree is being searched; false if a leaf of the directory has been read. */
  private boolean findTree() {
    if (search != null && search.tree().equals(forest.dedicatedTree(owner))) {
      return true;
    }
    search = null; // or its tree has gone since the last look
    owner = pass.next();
    Tree tree = owner == null ? null : forest.dedicatedTree(owner);
    if (tree == null) {
      endIfOver();
      return false;
    }
    search = new EntrySearch(tree);
    return true;
  }

  /** Whether the tree of the owner has many leaves, and its degrees may not be kept (R36). */
  private boolean lacksDegrees(Tree tree) {
    return !tree.shape().expires()
        && forest.isDedicated(owner.owner())
        && forest.degrees(owner.owner()) != KeptDegrees.YES
        && TreeSize.isSeenLarge(tree);
  }

  private void endIfOver() {
    if (pass.isAtEnd()) {
      pass = null;
    }
  }

  /**
   * Passes over the tree with the damaged leaf, which stays. If the leaf is one of the directory
   * and it is not known where the next begins, the pass ends, and another one begins later.
   */
  @Override
  public void passLeaf() {
    if (search != null) {
      search = null;
      endIfOver();
    } else if (pass != null && !pass.passLeaf()) {
      pass.families().stream().forEach(later::note);
      pass = null;
    } else if (pass != null) {
      endIfOver();
    }
  }

  @Override
  public void noteMoved(FamilyOwner moved) {
    later.noteMoved(moved.family());
  }
}
