package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Hands every call on to another file. */
public abstract class ForwardingFile implements DiskFile {
  /** The other file. */
  protected final DiskFile file;

  /** Hands the calls on to {@code file}, and closes it when this is closed. */
  protected ForwardingFile(DiskFile file) {
    this.file = file;
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public int read(ByteBuffer to, long position) throws IOException {
    return file.read(to, position);
  }

  @Override
  public int readDirect(ByteBuffer to, long position) throws IOException {
    return file.readDirect(to, position);
  }

  @Override
  public void write(ByteBuffer from, long position) throws IOException {
    file.write(from, position);
  }

  @Override
  public void zero(long from, long to) throws IOException {
    file.zero(from, to);
  }

  @Override
  public void truncate(long size) throws IOException {
    file.truncate(size);
  }

  @Override
  public void sync() throws IOException {
    file.sync();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
