package io.bg3.batch;

/** The numbers of the kinds of values. */
final class ValueKind {
  static final int LONG = 1;
  static final int INT = 2;
  static final int BYTES = 3;
  static final int TEXT = 4;
  static final int BOOLEAN = 5;
  static final int DOUBLE = 6;

  private ValueKind() {}
}
