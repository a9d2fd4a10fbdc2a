package io.bg3.transfer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * A file that holds a graph or a part of one. It can be read from its beginning any number of
 * times.
 */
public interface GraphFile {
  /** The path of the file. */
  Path path();

  /** The number of times that {@link #vertices} and {@link #edges} together read the file. */
  int passes();

  /**
   * Checks that the file can be read and begins as its format requires.
   *
   * @throws TransferException if it cannot be read or has another format
   */
  void check() throws IOException;

  /**
   * Passes the vertices to the sink.
   *
   * @param progress receives the number of bytes read since its last call
   * @throws TransferException if reading the file fails
   */
  void vertices(RowSink sink, LongConsumer progress) throws IOException;

  /**
   * Passes the edges to the sink. Called after {@link #vertices}, with arguments of the same
   * meaning.
   */
  void edges(RowSink sink, LongConsumer progress) throws IOException;
}
