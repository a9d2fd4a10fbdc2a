package io.bg3.bench.gremlin;

import io.bg3.bench.data.SeededHash;
import java.util.ArrayList;
import java.util.List;

/** A number for the answers to some questions, equal for equal answers. */
final class AnswerHash {
  private final boolean isOrdered;
  private long hash;

  /**
   * The number for no answers.
   *
   * @param isOrdered whether the results of an answer have an order
   */
  AnswerHash(boolean isOrdered) {
    this.isOrdered = isOrdered;
  }

  /** Adds an answer, whose results are compared as texts. */
  void add(List<?> results) {
    List<String> texts = new ArrayList<>(results.stream().map(String::valueOf).toList());
    if (!isOrdered) {
      texts.sort(null);
    }
    hash = SeededHash.of(hash, texts.hashCode());
  }

  /** The number. */
  String text() {
    return Long.toHexString(hash);
  }
}
