package io.bg3.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** A file's bytes, counted as they are read. */
public final class CountedInput extends FilterInputStream {
  private final LongConsumer progress;

  private CountedInput(InputStream in, LongConsumer progress) {
    super(in);
    this.progress = progress;
  }

  /**
   * Opens a file.
   *
   * @param progress told how many bytes were read since it was told last
   * @throws TransferException if it cannot be read
   */
  public static CountedInput open(Path file, LongConsumer progress) throws TransferException {
    try {
      if (Files.isDirectory(file)) {
        throw new FileSystemException(file.toString(), null, "it is a directory");
      }
      return new CountedInput(Files.newInputStream(file), progress);
    } catch (IOException e) {
      throw new TransferException("cannot read: file=" + file + ", reason=" + reason(e), e);
    }
  }

  /** Why a file cannot be read or written, in words. */
  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    } else if (e instanceof AccessDeniedException) {
      return "no permission";
    } else if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return e.getMessage();
  }

  @Override
  public int read() throws IOException {
    int b = super.read();
    progress.accept(b < 0 ? 0 : 1);
    return b;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    int count = super.read(to, offset, length);
    progress.accept(Math.max(count, 0));
    return count;
  }
}
