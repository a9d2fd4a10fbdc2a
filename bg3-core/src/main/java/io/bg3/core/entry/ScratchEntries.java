package io.bg3.core.entry;

import java.util.function.Supplier;

/**
 * Columns that one thread fills again and again with what does not outlive a call: a commit
 * rewrites a delta and now and then a base, and new columns for each would be most of what it
 * allocates.
 */
public final class ScratchEntries {
  private final Supplier<Entries> kind;
  private Entries old;
  private Entries result;
  private Entries merged;

  private ScratchEntries(Supplier<Entries> kind) {
    this.kind = kind;
    old = kind.get();
    result = kind.get();
    merged = kind.get();
  }

  /** One for each thread that asks. */
  public static ThreadLocal<ScratchEntries> ofThread(Supplier<Entries> kind) {
    return ThreadLocal.withInitial(() -> new ScratchEntries(kind));
  }

  /** Empty columns for the entries of a delta that is about to be replaced. */
  public Entries old() {
    old = cleared(old);
    return old;
  }

  /** Empty columns for the entries of the delta that replaces it. */
  public Entries result() {
    result = cleared(result);
    return result;
  }

  /** Empty columns for the entries of a page. */
  public Entries merged() {
    merged = cleared(merged);
    return merged;
  }

  /** Room that one large commit or value needed is not kept for ever. */
  private Entries cleared(Entries entries) {
    if (entries.isLarge()) {
      return kind.get();
    }
    entries.clear();
    return entries;
  }
}
