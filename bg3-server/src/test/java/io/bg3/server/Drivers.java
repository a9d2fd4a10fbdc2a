package io.bg3.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The Gremlin drivers of other languages, as {@code .ci/drivers} installs them. */
final class Drivers {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  private static final Path DRIVERS = ROOT.resolve("target/drivers");
  private static final Path PROGRAMS = ROOT.resolve("bg3-server/src/test/drivers");
  private static final long PATIENCE_SECONDS = 900;

  private Drivers() {}

  /** A file of a driver; skips the test where the driver is not installed. */
  static Path require(String language, String file) {
    boolean there = isInstalled(language);
    if (!there) {
      System.out.println("skipped: no driver for " + language + "; .ci/drivers installs it");
    }
    assumeTrue(there, "no driver for " + language + "; .ci/drivers installs it");
    return DRIVERS.resolve(language).resolve(file);
  }

  private static boolean isInstalled(String language) {
    return Files.exists(DRIVERS.resolve(language).resolve("ready"));
  }

  /**
   * A command for each language that is installed, which starts a program there is for all of them.
   *
   * @param program the directory of the program's sources, and their names without the endings
   */
  static List<List<String>> commands(String program) throws IOException, InterruptedException {
    List<List<String>> commands = new ArrayList<>();
    Path sources = PROGRAMS.resolve(program);
    if (isInstalled("python")) {
      commands.add(
          List.of(
              DRIVERS.resolve("python/venv/bin/python").toString(),
              sources.resolve(program + ".py").toString()));
    }
    if (isInstalled("javascript")) { // beside the driver that it imports
      Path copy = DRIVERS.resolve("javascript").resolve(program + ".js");
      Files.writeString(copy, Files.readString(sources.resolve(program + ".js")));
      commands.add(List.of("node", copy.toString()));
    }
    if (isInstalled("go")) {
      commands.add(List.of(built(sources, program).toString()));
    }
    return commands;
  }

  private static Path built(Path sources, String program) throws IOException, InterruptedException {
    Path module = DRIVERS.resolve("go");
    Path main = Files.createDirectories(module.resolve(program)).resolve("main.go");
    Files.writeString(main, Files.readString(sources.resolve(program + ".go")));
    Path built = module.resolve(program).resolve(program);
    Process build =
        new ProcessBuilder("go", "build", "-o", built.toString(), "./" + program)
            .directory(module.toFile())
            .inheritIO()
            .start();
    if (!build.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || build.exitValue() != 0) {
      throw new AssertionError("cannot build the program: " + main);
    }
    return built;
  }
}
