package io.bg3.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;

/** An input stream of a file that counts the bytes read from the file. */
public final class CountedInput extends FilterInputStream {
  private static final byte[] GZIP = {0x1F, (byte) 0x8B};
  private static final int BUFFER = 1 << 16;

  private final LongConsumer progress;

  private CountedInput(InputStream in, LongConsumer progress) {
    super(in);
    this.progress = progress;
  }

  /**
   * Opens a file and decompresses it if its content is in gzip format, whatever its name. The
   * stream counts compressed bytes.
   *
   * @param progress receives the number of bytes read since its last call
   * @throws TransferException if the file cannot be read
   */
  public static InputStream open(Path file, LongConsumer progress) throws TransferException {
    try {
      if (Files.isDirectory(file)) {
        throw new FileSystemException(file.toString(), null, "it is a directory");
      }
      return unpacked(new CountedInput(Files.newInputStream(file), progress));
    } catch (IOException e) {
      throw new TransferException("cannot read: file=" + file + ", reason=" + reason(e), e);
    }
  }

  private static InputStream unpacked(CountedInput file) throws IOException {
    try {
      PushbackInputStream bytes = new PushbackInputStream(file, GZIP.length);
      byte[] begin = bytes.readNBytes(GZIP.length);
      bytes.unread(begin);
      return Arrays.equals(begin, GZIP) ? new GZIPInputStream(bytes, BUFFER) : bytes;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** The name of a file as it was before {@code gzip} compressed it. */
  public static String unpackedName(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.gz$", "");
  }

  /** The reason why a file cannot be read or written, for a message. */
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
