package io.bg3.core.commit;

/**
 * The codes of labels and property keys: small positive numbers that stand for texts in keys and
 * records.
 *
 * <p>A code is made by a commit of its own that is in the log before anything can use it. It is
 * never undone and never used for another text.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Dictionary {
  /** What a text names; each kind has its own codes. */
  public enum Kind {
    VERTEX_LABEL,
    EDGE_LABEL,
    PROPERTY_KEY
  }

  Dictionary() {}

  /**
   * The code of {@code text}, made if there is none yet. Codes are dense from 1 and fit in 30 bits.
   *
   * @throws IllegalArgumentException if the text is empty or longer than 1,024 bytes in UTF-8
   * @throws StoreFailedException if a code had to be made and the store has stopped writing
   */
  public int code(Kind kind, String text) {
    throw new UnsupportedOperationException();
  }

  /**
   * The code of {@code text}, 0 if there is none. A transaction that goes on to write because it
   * found none uses {@link Transaction#findCode} instead, which is checked at its commit.
   */
  public int find(Kind kind, String text) {
    throw new UnsupportedOperationException();
  }

  /**
   * The text that {@code code} stands for.
   *
   * @throws IllegalArgumentException if there is no such code
   */
  public String text(Kind kind, int code) {
    throw new UnsupportedOperationException();
  }

  /** How many codes of this kind there are: they are 1 to this number. */
  public int count(Kind kind) {
    throw new UnsupportedOperationException();
  }
}
