package io.bg3.storage.format;

/** A file of a store cannot be used: its bytes are damaged, too old or too new. */
public abstract sealed class UnreadableException extends RuntimeException
    permits CorruptionException, FormatTooNewException, FormatTooOldException {
  private static final long serialVersionUID = 1L;

  private final String file;

  UnreadableException(String message, String file, Throwable cause) {
    super(message, cause);
    this.file = file;
  }

  /** The file, as its disk describes it: usually a path. */
  public final String file() {
    return file;
  }
}
