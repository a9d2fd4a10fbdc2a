package io.bg3.bench;

import io.bg3.bench.report.Report;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The option that names the directory in which a command makes its stores. */
final class DirectoryOption {
  private static final String PREFIX = "bg3-bench-";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where the stores are made, on the disk to measure (default: a new directory).")
  private Path directory;

  /** The directory; null if the option is not given. */
  Path directory() {
    return directory;
  }

  /**
   * Makes an empty directory for the stores, in the directory of the option or else in the system's
   * directory of temporary files. The caller removes it.
   */
  Path create() throws IOException {
    return directory == null
        ? Files.createTempDirectory(PREFIX)
        : Files.createTempDirectory(Files.createDirectories(directory), PREFIX);
  }

  /**
   * Runs an experiment in a directory that is removed afterwards. If this process is ended
   * meanwhile, the processes of the experiment are too.
   */
  Report during(Function<Path, Experiment> making) throws IOException {
    Path root = create();
    Experiment experiment = making.apply(root);
    Thread abandon = new Thread(experiment::abandon, "abandon");
    Runtime.getRuntime().addShutdownHook(abandon);
    try {
      return experiment.run();
    } finally {
      StoreFiles.delete(root);
      Runtime.getRuntime().removeShutdownHook(abandon);
    }
  }
}
