package io.bg3.storage.file;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * One flat directory of files, which belongs to one store.
 *
 * <p>Threads: all methods may be called from any thread. None of them ends early or breaks when the
 * calling thread is interrupted; the interrupt flag is as it was, or set, when they return.
 *
 * <p>Names consist of letters, digits, dots and hyphens and begin with a letter. Creates, renames
 * and deletes hold after a power cut only once {@link #syncDirectory} has returned.
 */
public interface Disk extends AutoCloseable {
  /**
   * Creates an empty file and opens it.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
   */
  DiskFile create(String name) throws IOException;

  /**
   * Opens a file for reading and writing.
   *
   * @throws NoSuchFileException if there is none of that name
   */
  DiskFile open(String name) throws IOException;

  /**
   * Whether there is a file of that name.
   *
   * @throws IOException if the disk cannot tell, which is not the answer no
   */
  boolean exists(String name) throws IOException;

  /**
   * The names of all files, in no particular order.
   *
   * @throws IOException if the disk cannot tell all of them; no name is left out silently
   */
  List<String> list() throws IOException;

  /**
   * Deletes a file. A process that has it open keeps a file without a name.
   *
   * @throws NoSuchFileException if there is none of that name
   */
  void delete(String name) throws IOException;

  /** Deletes a file if there is one of that name. */
  default void deleteIfThere(String name) throws IOException {
    try {
      delete(name);
    } catch (NoSuchFileException e) {
      // the caller wants no file of that name
    }
  }

  /**
   * Gives a file another name and replaces a file that had it, in one step: at any moment, and
   * after any crash, {@code to} is either the old file or the new one. The file must not be open.
   *
   * @throws NoSuchFileException if there is no file called {@code from}
   */
  void rename(String from, String to) throws IOException;

  /** Returns when all creates, renames and deletes so far will survive a power cut. */
  void syncDirectory() throws IOException;

  /**
   * Bytes that can still be written, as far as the file system tells; {@link Long#MAX_VALUE} if
   * there is no limit. A quota may leave fewer.
   */
  default long usableBytes() throws IOException {
    return Long.MAX_VALUE;
  }

  /** How messages name the file: its path where it has one. */
  String describe(String name);

  /** Gives up what the disk itself holds. Files stay open until each is closed. */
  @Override
  void close() throws IOException;
}
