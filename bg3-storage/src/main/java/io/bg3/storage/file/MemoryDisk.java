package io.bg3.storage.file;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Files on the heap, for graphs that are not kept. A file takes what was written to it, in chunks;
 * zeros take nothing. Syncs do nothing, since nothing outlives the process.
 */
public final class MemoryDisk implements Disk {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, MemoryFile> files = new TreeMap<>(); // guarded by lock

  @Override
  public DiskFile create(String name) throws FileAlreadyExistsException {
    lock.lock();
    try {
      MemoryFile file = new MemoryFile();
      if (files.putIfAbsent(FileNames.checked(name), file) != null) {
        throw new FileAlreadyExistsException(describe(name));
      }
      return file.handle(name);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public DiskFile open(String name) throws NoSuchFileException {
    lock.lock();
    try {
      return existing(name).handle(name);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean exists(String name) {
    lock.lock();
    try {
      return files.containsKey(name);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<String> list() {
    lock.lock();
    try {
      return new ArrayList<>(files.keySet());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void delete(String name) throws NoSuchFileException {
    lock.lock();
    try {
      existing(name);
      files.remove(name);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void rename(String from, String to) throws NoSuchFileException {
    lock.lock();
    try {
      MemoryFile file = existing(from);
      files.remove(from);
      files.put(FileNames.checked(to), file);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void syncDirectory() {}

  @Override
  public String describe(String name) {
    return "memory:" + name;
  }

  @Override
  public void close() {}

  private MemoryFile existing(String name) throws NoSuchFileException {
    MemoryFile file = files.get(FileNames.checked(name));
    if (file == null) {
      throw new NoSuchFileException(describe(name));
    }
    return file;
  }
}
