package io.bg3.bench;

/** Where a store keeps the values of its edges. */
enum ValueWay {
  /** In VALUE extents; the leaves have their locations. */
  APART("apart", 64),
  /** In the leaves, beside their keys. */
  IN_LEAF("in-leaf", 4_096);

  private final String text;
  private final int threshold;

  ValueWay(String text, int threshold) {
    this.text = text;
    this.threshold = threshold;
  }

  /** The name in figures. */
  String text() {
    return text;
  }

  /** The value of {@code bg3.value.threshold}: values above this many bytes are apart. */
  int threshold() {
    return threshold;
  }

  /** The sizes of values that either way keeps where it says: above one threshold only. */
  static boolean isMeasurable(long bytes) {
    return bytes > APART.threshold && bytes <= IN_LEAF.threshold;
  }
}
