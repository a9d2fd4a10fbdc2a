package io.bg3.core.transaction;

/**
 * Looks up codes of texts for one transaction, and notes the texts that had none. Belongs to one
 * thread.
 */
final class CodeLookups {
  private final Dictionary dictionary;
  private final TransactionState transaction;

  CodeLookups(Dictionary dictionary, TransactionState transaction) {
    this.dictionary = dictionary;
    this.transaction = transaction;
  }

  /** The code of a text, 0 if there is none. */
  int find(Dictionary.Kind kind, String text) {
    int code = dictionary.find(kind, text);
    if (code == 0 && transaction.remembersMissingCodes()) {
      transaction.reads().addMissing(kind, text);
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
      transaction.reads().madeCode(kind, text);
      return code;
    }
    return dictionary.find(kind, text); // somebody else has made it, and a miss stays one
  }
}
