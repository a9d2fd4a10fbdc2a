package io.bg3.storage.memory;

/**
 * The sizes that blocks come in. Up to 1 KiB they are a quarter of a power of two apart, up to 16
 * KiB about an eighth, above that more. From 1 KiB on they are the span's size divided by a number,
 * so that nothing of a span is left over. Rounding up wastes at most 25, 12.5 and (for the few
 * blocks above 64 KiB) 100 %, and is charged to the caller that asked.
 *
 * <ul>
 *   <li>Z1: sizes ascend strictly, from {@value #SMALLEST} to {@value #LARGEST}.
 *   <li>Z2: every size is a multiple of 16, from 1 KiB on a multiple of 64, and a span starts at a
 *       multiple of 64: so are the blocks aligned.
 * </ul>
 */
final class SizeClasses {
  static final int SMALLEST = 64;

  /** Bytes of a span, which holds blocks of one size. */
  static final int SPAN = 1 << 18;

  static final int LARGEST = SPAN;

  private static final int EIGHTHS_FROM = 1 << 10;
  private static final int DIVIDED_FROM = 1 << 14;
  private static final int[] DIVISORS = {14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  private static final int GRAIN = 16;
  private static final int LINE = 64;

  private static final int[] SIZES = sizes();
  private static final byte[] CLASS_OF_GRAINS = classOfGrains();

  private SizeClasses() {}

  static int count() {
    return SIZES.length;
  }

  static int size(int sizeClass) {
    return SIZES[sizeClass];
  }

  /** Smallest class whose blocks hold this many bytes, which must be in [1, {@value #LARGEST}]. */
  static int classOf(int bytes) {
    return CLASS_OF_GRAINS[(bytes + GRAIN - 1) / GRAIN];
  }

  /** The bytes of a block that is too large for a span. */
  static int largeSize(int bytes) {
    return Math.addExact(bytes, LINE - 1) & -LINE;
  }

  private static int[] sizes() {
    int[] sizes = new int[128];
    int count = 0;
    for (int power = SMALLEST; power < DIVIDED_FROM; power *= 2) {
      int steps = power < EIGHTHS_FROM ? 4 : 8;
      for (int step = 0; step < steps; step++) {
        int size = power + step * (power / steps);
        sizes[count++] = power < EIGHTHS_FROM ? size : SPAN / (SPAN / size) & -LINE;
      }
    }
    sizes[count++] = DIVIDED_FROM;
    for (int divisor : DIVISORS) {
      sizes[count++] = SPAN / divisor & -LINE;
    }
    return java.util.Arrays.copyOf(sizes, count);
  }

  private static byte[] classOfGrains() {
    byte[] classes = new byte[LARGEST / GRAIN + 1];
    int sizeClass = 0;
    for (int grains = 0; grains < classes.length; grains++) {
      if (grains * GRAIN > SIZES[sizeClass]) {
        sizeClass++;
      }
      classes[grains] = (byte) sizeClass;
    }
    return classes;
  }
}
