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

/** A file's bytes, counted as they are read from it. */
public final class CountedInput extends FilterInputStream {
  private static final byte[] GZIP = {0x1F, (byte) 0x8B};
  private static final int BUFFER = 1 << 16;

  private final LongConsumer progress;

  private CountedInput(InputStream in, LongConsumer progress) {
    super(in);
    this.progress = progress;
  }

  /**
   * Opens a file. One in gzip, whatever its name, is unpacked; its packed bytes are counted.
   *
   * @param progress told how many bytes were read since it was told last
   * @throws TransferException if it cannot be read
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
