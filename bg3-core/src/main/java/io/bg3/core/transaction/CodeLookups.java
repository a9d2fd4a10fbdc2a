package io.bg3.core.transaction;

/**
 * Looks up codes of texts for one transaction, and notes the texts that had none. Belongs to one
 * thread.
 */
final class CodeLookups {
  private final Dictionary dictionary;
  private final ReadSet reads;
  private final boolean remembers;

  /**
   * @param reads null in a transaction that only reads
   * @param remembers whether it is noted that a text has no code
   */
  CodeLookups(Dictionary dictionary, ReadSet reads, boolean remembers) {
    this.dictionary = dictionary;
    this.reads = reads;
    this.remembers = remembers;
  }

  /** The code of a text, 0 if there is none. */
  int find(Dictionary.Kind kind, String text) {
    int code = dictionary.find(kind, text);
    if (code == 0 && remembers) {
      reads.addMissing(kind, text);
    }
    return code;
  }

  /** The code of a text, made if there is none. */
  int findOrMake(Dictionary.Kind kind, String text) {
    int code = dictionary.find(kind, text);
    if (code != 0) {
      return code;
    }
    code = dictionary.make(kind, text);
    if (code != 0) {
      reads.madeCode(kind, text);
      return code;
    }
    return dictionary.find(kind, text); // another transaction has made it, and a miss stays one
  }
}
