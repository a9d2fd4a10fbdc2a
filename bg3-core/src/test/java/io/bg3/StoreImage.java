package io.bg3;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.FileHeader;
import io.bg3.storage.format.FileKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The files of a store at one moment, to be damaged, put on a disk, and compared. */
final class StoreImage {
  private final Map<String, byte[]> files;

  private StoreImage(Map<String, byte[]> files) {
    this.files = files;
  }

  /** The content of a disk, synced or not. */
  static StoreImage of(Disk disk) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : disk.list()) {
      try (DiskFile file = disk.open(name)) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
        file.read(bytes, 0);
        files.put(name, bytes.array());
      }
    }
    return new StoreImage(files);
  }

  /** The content of a directory. */
  static StoreImage of(Path directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> list = Files.list(directory)) {
      for (Path file : list.toList()) {
        files.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return new StoreImage(files);
  }

  /** Puts the files on an empty disk and syncs them. */
  <D extends Disk> D onto(D disk) throws IOException {
    for (Map.Entry<String, byte[]> entry : files.entrySet()) {
      try (DiskFile file = disk.create(entry.getKey())) {
        file.write(ByteBuffer.wrap(entry.getValue()), 0);
        file.sync();
      }
    }
    disk.syncDirectory();
    return disk;
  }

  /** Makes the files the only ones of a directory. */
  void into(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (Stream<Path> list = Files.list(directory)) {
      for (Path file : list.toList()) {
        Files.delete(file);
      }
    }
    for (Map.Entry<String, byte[]> entry : files.entrySet()) {
      Files.write(directory.resolve(entry.getKey()), entry.getValue());
    }
  }

  Set<String> names() {
    return files.keySet();
  }

  byte[] content(String name) {
    return files.get(name).clone();
  }

  StoreImage without(String name) {
    Map<String, byte[]> rest = new TreeMap<>(files);
    rest.remove(name);
    return new StoreImage(rest);
  }

  StoreImage with(String name, byte[] content) {
    Map<String, byte[]> changed = new TreeMap<>(files);
    changed.put(name, content);
    return new StoreImage(changed);
  }

  StoreImage flipped(String name, int offset) {
    byte[] content = content(name);
    content[offset] ^= 0x10;
    return with(name, content);
  }

  StoreImage cut(String name, int length) {
    return with(name, Arrays.copyOf(content(name), length));
  }

  /** The file with a header of a version that is not known yet, whose checksum is right. */
  StoreImage newer(String name) {
    return withHeader(name, 9, 0);
  }

  /** The file with the header of another store, whose checksum is right. */
  StoreImage ofAnotherStore(String name) {
    return withHeader(name, 0, 1);
  }

  private StoreImage withHeader(String name, int version, long storeChange) {
    FileKind kind = new FileKind(name.replaceAll("-.*", ""), 1, 9);
    byte[] content = content(name);
    FileHeader header = FileHeader.decode(ByteBuffer.wrap(content), kind, name);
    int changed = version == 0 ? header.version() : version;
    new FileHeader(kind, changed, header.store() + storeChange, header.number())
        .encode(ByteBuffer.wrap(content), 0);
    return with(name, content);
  }

  /** Index behind the last byte of a file that is not zero. */
  int used(String name) {
    byte[] content = files.get(name);
    int end = content.length;
    while (end > 0 && content[end - 1] == 0) {
      end--;
    }
    return end;
  }

  /** How another image differs: files that are gone, new or changed. Empty if it does not. */
  List<String> differences(StoreImage that) {
    Set<String> names = new TreeSet<>(files.keySet());
    names.addAll(that.files.keySet());
    return names.stream()
        .filter(name -> !Arrays.equals(files.get(name), that.files.get(name)))
        .toList();
  }

  @Override
  public String toString() {
    return files.keySet().toString();
  }
}
