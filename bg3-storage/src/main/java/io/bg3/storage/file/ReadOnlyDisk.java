package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;

/**
 * A disk that leaves another one as it is. The files of that disk can be read and not changed; new
 * files live on the heap and are gone when the process ends. So a store can be opened, and its log
 * replayed, where nothing may or can be written.
 *
 * <p>{@link #syncDirectory} does nothing: what is read may rest on what a killed process left in
 * the operating system's cache.
 */
public final class ReadOnlyDisk implements Disk {
  private final Disk below;
  private final MemoryDisk created = new MemoryDisk();

  /** Leaves {@code below} as it is, and closes it when this is closed. */
  public ReadOnlyDisk(Disk below) {
    this.below = below;
  }

  @Override
  public DiskFile create(String name) throws IOException {
    if (below.exists(name)) {
      throw new FileAlreadyExistsException(describe(name));
    }
    return created.create(name);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return created.exists(name) ? created.open(name) : new ReadOnlyFile(below.open(name));
  }

  @Override
  public boolean exists(String name) throws IOException {
    return created.exists(name) || below.exists(name);
  }

  @Override
  public List<String> list() throws IOException {
    List<String> names = new ArrayList<>(below.list());
    names.addAll(created.list());
    return names;
  }

  @Override
  public void delete(String name) throws IOException {
    if (!created.exists(name)) {
      throw refused(describe(name));
    }
    created.delete(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    throw refused(describe(from));
  }

  @Override
  public void syncDirectory() {}

  @Override
  public String describe(String name) {
    return created.exists(name) ? created.describe(name) : below.describe(name);
  }

  @Override
  public void close() throws IOException {
    below.close();
  }

  private static IOException refused(String file) {
    return new IOException("file of a store that is open for reading only: file=" + file);
  }

  private final class ReadOnlyFile implements DiskFile {
    private final DiskFile file;

    ReadOnlyFile(DiskFile file) {
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
      throw refused(below.describe(name()));
    }

    @Override
    public void zero(long from, long to) throws IOException {
      throw refused(below.describe(name()));
    }

    @Override
    public void truncate(long size) throws IOException {
      throw refused(below.describe(name()));
    }

    @Override
    public void sync() throws IOException {
      throw refused(below.describe(name()));
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
