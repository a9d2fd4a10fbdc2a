package io.bg3.storage.format;

/** A file was written in a format older than any this program knows. Nothing has been touched. */
public final class FormatTooOldException extends UnreadableException {
  private static final long serialVersionUID = 1L;

  /**
   * Names both versions.
   *
   * @param file the file as its disk describes it
   * @param found the version the file carries
   * @param oldest the oldest version this program reads
   */
  public FormatTooOldException(String file, int found, int oldest) {
    super(
        "format older than this program: file=" + file + ", found=" + found + ", oldest=" + oldest,
        file,
        null);
  }
}
