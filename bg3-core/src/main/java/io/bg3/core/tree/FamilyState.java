package io.bg3.core.tree;

/** The state that the shapes of all trees of a family share. Threads: any. */
final class FamilyState {
  /** How the pages are written; null for a family without a name. */
  volatile FamilySettings settings;

  /** Whether a tree of one owner may have lost all its entries since somebody last looked. */
  volatile boolean mayHaveEmptied;
}
