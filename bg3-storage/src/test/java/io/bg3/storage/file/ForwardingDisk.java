package io.bg3.storage.file;

import java.io.IOException;
import java.util.List;

/**
 * Hands every call on to another disk. A test's disk extends it with what is special about it: it
 * overrides {@link #wrap} for its files, or single methods.
 */
public abstract class ForwardingDisk implements Disk {
  /** The other disk. */
  protected final Disk disk;

  /** Hands the calls on to {@code disk}, and closes it when this is closed. */
  protected ForwardingDisk(Disk disk) {
    this.disk = disk;
  }

  /** The file that stands for one of the other disk. */
  protected abstract DiskFile wrap(DiskFile file);

  @Override
  public DiskFile create(String name) throws IOException {
    return wrap(disk.create(name));
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return wrap(disk.open(name));
  }

  @Override
  public boolean exists(String name) throws IOException {
    return disk.exists(name);
  }

  @Override
  public List<String> list() throws IOException {
    return disk.list();
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void syncDirectory() throws IOException {
    disk.syncDirectory();
  }

  @Override
  public long usableBytes() throws IOException {
    return disk.usableBytes();
  }

  @Override
  public String describe(String name) {
    return disk.describe(name);
  }

  @Override
  public void close() throws IOException {
    disk.close();
  }
}
