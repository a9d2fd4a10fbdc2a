package io.bg3.transfer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * A file, or a part of it, that holds a graph and is read from its beginning as often as needed.
 */
public interface GraphFile {
  /** Where it is. */
  Path path();

  /** How often {@link #vertices} and {@link #edges} read it, both together. */
  int passes();

  /**
   * Looks whether it can be read and begins as its format says.
   *
   * @throws TransferException if not
   */
  void check() throws IOException;

  /**
   * Hands over its vertices.
   *
   * @param progress told how many bytes were read since it was told last
   * @throws TransferException if the file cannot be read on
   */
  void vertices(RowSink sink, LongConsumer progress) throws IOException;

  /** Hands over its edges, as {@link #vertices} does; called after it. */
  void edges(RowSink sink, LongConsumer progress) throws IOException;
}
