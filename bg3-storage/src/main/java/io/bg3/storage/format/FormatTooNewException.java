package io.bg3.storage.format;

/** A file was written in a format newer than any this program knows. Nothing has been touched. */
public final class FormatTooNewException extends UnreadableException {
  private static final long serialVersionUID = 1L;

  /**
   * Names both versions.
   *
   * @param file the file as its disk describes it
   * @param found the version the file carries
   * @param newest the newest version this program reads
   */
  public FormatTooNewException(String file, int found, int newest) {
    super(
        "format newer than this program: file=" + file + ", found=" + found + ", newest=" + newest,
        file,
        null);
  }
}
