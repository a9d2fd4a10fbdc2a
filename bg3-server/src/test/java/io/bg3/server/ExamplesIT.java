package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of the documentation, each run as its page says against the distribution on a store
 * of its own, print what the page says they print. The drivers of other languages come from {@code
 * .ci/drivers}; where one is missing its test is skipped and says so.
 *
 * <p>Takes about 30 s, most of it starts of servers and drivers: it proves that the pages' programs
 * run. It has no longer form.
 */
class ExamplesIT {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  private static final Path EXAMPLES = ROOT.resolve("docs/examples");
  private static final long PATIENCE_SECONDS = 900;
  private static final int ATTEMPTS = 3;

  @TempDir Path directory;

  @Test
  void python() throws Exception {
    Path python = Drivers.require("python", "venv/bin/python");
    assertPrints(
        printedBy("Python"), url -> run(python, EXAMPLES.resolve("python/first_steps.py"), url));
  }

  @Test
  void javaScript() throws Exception {
    Path modules = Drivers.require("javascript", "node_modules");
    Path program = modules.resolveSibling("first-steps.js"); // beside the driver that it imports
    Files.writeString(program, Files.readString(EXAMPLES.resolve("javascript/first-steps.js")));
    assertPrints(printedBy("JavaScript"), url -> run("node", program, url));
  }

  @Test
  void go() throws Exception {
    Path module = Drivers.require("go", "go.mod").getParent();
    Files.writeString(
        module.resolve("first_steps.go"), Files.readString(EXAMPLES.resolve("go/first_steps.go")));
    assertPrints(
        printedBy("Go"),
        url -> run(new ProcessBuilder("go", "run", ".", url).directory(module.toFile())));
  }

  @Test
  void java() throws Exception {
    assertPrints(
        printedBy("Java"),
        url -> {
          String port = url.replaceAll(".*:(\\d+)/.*", "$1");
          return java(EXAMPLES.resolve("java/FirstSteps.java"), "127.0.0.1", port);
        });
  }

  @Test
  void batchesOfOperations() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/provider.md"));
    Matcher printed =
        Pattern.compile("LinkBatch\\.java -->.*?It prints:\n\n```\n(.*?)\n```", Pattern.DOTALL)
            .matcher(page);
    assertTrue(printed.find(), "the page does not say what the program prints");
    assertPrints(
        printed.group(1),
        url -> {
          String port = url.replaceAll(".*:(\\d+)/.*", "$1");
          return java(EXAMPLES.resolve("java/LinkBatch.java"), "127.0.0.1", port);
        });
  }

  @Test
  void gettingStarted() throws Exception {
    Path python = Drivers.require("python", "venv/bin/python");
    String page = Files.readString(ROOT.resolve("docs/getting-started.md"));
    String talk = section(page, "Query the server");
    StringBuilder program = new StringBuilder();
    StringBuilder printed = new StringBuilder();
    Matcher block = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL).matcher(talk);
    while (block.find()) {
      program.append(block.group(1));
    }
    program.append("connection.close()\n");
    Matcher line = Pattern.compile("(?m)^print\\(.*\\) +# (.*)$").matcher(program);
    while (line.find()) {
      printed.append(line.group(1)).append('\n');
    }
    assertTrue(printed.length() > 0, "the page prints nothing");
    assertPrints(
        printed.toString().strip(),
        url -> {
          Path file = directory.resolve("talk.py");
          Files.writeString(file, program.toString().replaceAll("ws://[^']*", url));
          return run(python, file);
        });
  }

  @Test
  void gettingStartedLoads() throws Exception {
    String load =
        section(Files.readString(ROOT.resolve("docs/getting-started.md")), "Load a graph");
    Matcher csv = Pattern.compile("(?m)(?:^    .*\n)+").matcher(load);
    assertTrue(csv.find());
    Files.writeString(directory.resolve("people.csv"), csv.group().replaceAll("(?m)^    ", ""));
    assertTrue(csv.find());
    Files.writeString(directory.resolve("knows.csv"), csv.group().replaceAll("(?m)^    ", ""));
    assertTrue(load.contains("bin/bg3 load --data people people.csv knows.csv"));
    try (Launched loading =
        Launched.bg3(
            "load",
            "--data",
            directory.resolve("people").toString(),
            directory.resolve("people.csv").toString(),
            directory.resolve("knows.csv").toString())) {
      assertEquals(0, loading.awaitExit(), loading.output());
    }
    try (Launched check = Launched.bg3("stats", "--data", directory.resolve("people").toString())) {
      assertEquals(0, check.awaitExit(), check.output());
    }
  }

  @Test
  void embedded() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/embedding.md"));
    Matcher shown =
        Pattern.compile("<!-- (\\S+\\.java) -->\n.*?It prints:\n\n```\n(.*?)\n```", Pattern.DOTALL)
            .matcher(page);
    int programs = 0;
    while (shown.find()) {
      programs++;
      String data = directory.resolve("embedded" + programs).toString();
      assertEquals(shown.group(2), java(ROOT.resolve(shown.group(1)), data), shown.group(1));
    }
    assertEquals(3, programs);
  }

  /** The output of a language's program, as the page on clients shows it. */
  private static String printedBy(String language) throws IOException {
    String section = section(Files.readString(ROOT.resolve("docs/clients.md")), language);
    Matcher printed = Pattern.compile("prints:\n\n((?:    .*\n)+)").matcher(section);
    assertTrue(printed.find(), "the page does not say what " + language + " prints");
    return printed.group(1).replaceAll("(?m)^    ", "").strip();
  }

  private static String section(String page, String title) {
    int from = page.indexOf("\n## " + title + "\n");
    int to = page.indexOf("\n## ", from + 1);
    return page.substring(from, to < 0 ? page.length() : to + 1);
  }

  private interface Program {
    String output(String url) throws Exception;
  }

  /**
   * Runs a program, and again if it fails: drivers give connections up after seconds, which a
   * machine may pause for.
   */
  private void assertPrints(String expected, Program program) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        assertEquals(expected, served(directory.resolve("data-" + attempt), program));
        return;
      } catch (AssertionError e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Runs a program with the URL of a server on an empty store. */
  private static String served(Path data, Program program) throws Exception {
    int port = ServedFixture.freePort();
    try (Launched server = Launched.bg3(Launched.patientServer(data, port))) {
      server.awaitListening();
      Matcher url = Pattern.compile("listening on (ws://\\S+/gremlin)").matcher(server.output());
      assertTrue(url.find(), server.output());
      return program.output(url.group(1));
    }
  }

  private static String java(Path file, String... arguments) throws Exception {
    List<Object> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java"));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(
        "-Dlogback.configurationFile="
            + EXAMPLES.resolve("embedded/src/main/resources/logback.xml"));
    command.add(file);
    command.addAll(List.of(arguments));
    return run(command.toArray());
  }

  private static String run(Object... command) throws Exception {
    List<String> words = new ArrayList<>();
    for (Object word : command) {
      words.add(word.toString());
    }
    return run(new ProcessBuilder(words));
  }

  /** Runs a command to its end and returns its standard output, without white space around it. */
  private static String run(ProcessBuilder builder) throws Exception {
    Path printed = Files.createTempFile("example", ".out");
    Path errors = Files.createTempFile("example", ".err");
    try {
      Process process =
          builder.redirectOutput(printed.toFile()).redirectError(errors.toFile()).start();
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      String output = Files.readString(printed).strip();
      String said = output + "\n" + Files.readString(errors);
      assertTrue(ended, () -> "it does not end: " + said);
      assertEquals(0, process.exitValue(), said);
      return output;
    } finally {
      Files.delete(printed);
      Files.delete(errors);
    }
  }
}
