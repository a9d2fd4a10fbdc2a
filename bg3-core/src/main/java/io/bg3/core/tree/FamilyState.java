package io.bg3.core.tree;

/**
 * The state that the shapes of all trees of a family share, or those of the trees without a family.
 * Threads: any.
 */
final class FamilyState {
  /** How the pages are written; null without a family, or for one without a name. */
  volatile FamilySettings settings;

  /** Whether a tree of one owner may have lost all its entries since somebody last looked. */
  volatile boolean mayHaveEmptied;
}
