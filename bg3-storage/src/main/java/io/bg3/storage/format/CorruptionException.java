package io.bg3.storage.format;

/**
 * Bytes are not what was written: damage on the disk, a foreign file, or a file that was edited.
 *
 * <p>It is never thrown for a caller's mistake or for a torn tail, which is an expected outcome.
 */
public final class CorruptionException extends UnreadableException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final String expected;
  private final String found;

  /**
   * Says what is wrong and where.
   *
   * @param file the file as its disk describes it, usually a path
   * @param offset byte offset in the file at which the damage was noticed
   * @param expected what should have stood there
   * @param found what stands there
   */
  public CorruptionException(String file, long offset, String expected, String found) {
    this(file, offset, expected, found, null);
  }

  private CorruptionException(
      String file, long offset, String expected, String found, Throwable cause) {
    super(
        "corrupt: file="
            + file
            + ", offset="
            + offset
            + ", expected="
            + expected
            + ", found="
            + found,
        file,
        cause);
    this.offset = offset;
    this.expected = expected;
    this.found = found;
  }

  /**
   * This damage with the name of its file, which a decoder of bytes in memory does not know.
   *
   * @param name the file that the bytes came from
   * @param base where in that file the decoded bytes begin
   */
  public CorruptionException in(String name, long base) {
    return new CorruptionException(name, base + offset, expected, found, this);
  }

  /** The byte offset in the file at which the damage was noticed. */
  public long offset() {
    return offset;
  }

  /** The expected content. */
  public String expected() {
    return expected;
  }

  /** The content that was found. */
  public String found() {
    return found;
  }
}
