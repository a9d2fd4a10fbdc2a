package io.bg3.transfer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** Writes graphs as files of one format. */
public interface GraphFileWriter {
  /** Whether the format stores a graph as a directory of files instead of one file. */
  default boolean makesDirectory() {
    return false;
  }

  /** The number of times that {@link #write} reads the graph. */
  int passes();

  /**
   * Writes the whole graph.
   *
   * @param target a file that does not exist, or an empty directory
   * @param progress receives the number of vertices and edges visited since its last call
   * @throws LossException if the format cannot hold a part of the graph and losses are not allowed
   */
  void write(GraphSource source, Path target, Losses losses, LongConsumer progress)
      throws IOException;
}
