package io.bg3.transfer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** Writes graphs as files of one format. */
public interface GraphFileWriter {
  /** Whether a graph is a directory of files, not one file. */
  default boolean makesDirectory() {
    return false;
  }

  /** How often {@link #write} goes through the graph. */
  int passes();

  /**
   * Writes all of a graph.
   *
   * @param target a file that does not exist, or an empty directory
   * @param progress told how many vertices and edges were gone through since it was told last
   * @throws LossException if the format cannot hold something and no losses are allowed
   */
  void write(GraphSource source, Path target, Losses losses, LongConsumer progress)
      throws IOException;
}
