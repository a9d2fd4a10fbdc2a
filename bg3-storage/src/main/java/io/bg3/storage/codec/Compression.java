package io.bg3.storage.codec;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a stream is compressed.
 *
 * @param codec what compresses the bytes
 * @param level how hard the codec tries; only of {@link Codec#ZSTD}, 1 to 19
 * @param columns whether the columns of a page are packed before the codec sees them
 */
public record Compression(Codec codec, int level, boolean columns) {
  /** Nothing is compressed. */
  public static final Compression NONE = new Compression(Codec.NONE, 0, false);

  /** The level of {@code zstd} without one. */
  private static final int DEFAULT_LEVEL = 1;

  private static final Pattern TEXT =
      Pattern.compile("(none|packed|lz4|zstd)(?:(?<=zstd):([1-9]|1[0-9]))?");

  /** Whether {@link #of} reads the text. */
  public static boolean isValid(String text) {
    return TEXT.matcher(text).matches();
  }

  /**
   * Reads {@code none}, {@code packed}, {@code lz4}, {@code zstd} or {@code zstd:LEVEL}.
   *
   * @throws IllegalArgumentException if the text is none of these
   */
  public static Compression of(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no compression: text=" + text);
    }
    return switch (matcher.group(1)) {
      case "none" -> NONE;
      case "packed" -> new Compression(Codec.NONE, 0, true);
      case "lz4" -> new Compression(Codec.LZ4, 0, true);
      default -> {
        String level = matcher.group(2);
        yield new Compression(
            Codec.ZSTD, level == null ? DEFAULT_LEVEL : Integer.parseInt(level), true);
      }
    };
  }

  /** The text that {@link #of} reads as this. */
  public String text() {
    return switch (codec) {
      case NONE -> columns ? "packed" : "none";
      case LZ4 -> "lz4";
      case ZSTD -> level == DEFAULT_LEVEL ? "zstd" : "zstd:" + level;
    };
  }
}
