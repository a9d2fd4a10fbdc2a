package io.bg3.bench.work;

import io.bg3.bench.data.SeededHash;

/** A number that depends on everything that was read and on its order. One thread. */
final class AnswerChecksum {
  private long hash;
  private long count;

  void add(long number) {
    hash = SeededHash.of(hash ^ number);
    count++;
  }

  void add(long[] numbers, int length) {
    for (int i = 0; i < length; i++) {
      add(numbers[i]);
    }
  }

  @Override
  public String toString() {
    return Long.toHexString(hash) + ":" + count;
  }
}
