package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code bin/bg3} in a source tree made up for the purpose, with a Java that prints its
 * arguments and a Maven that counts how often it is called and makes a distribution with nothing in
 * it.
 *
 * <p>Takes about 10 s, one process for each call: it is the only test of the script {@code
 * bin/bg3}. It has no longer form.
 */
class LauncherTest {
  private static final String JAVA =
      """
      #!/bin/sh
      for argument in "$@"; do printf '<%s>\\n' "$argument"; done
      """;
  private static final String MAVEN =
      """
      #!/bin/sh
      echo called >> "$BUILDS"
      sleep 1
      for argument in "$@"; do
        case $argument in
          -Ddist.directory=*) dist=${argument#-Ddist.directory=} ;;
        esac
      done
      mkdir -p "$dist/lib" && echo built > "$dist/BUILD"
      """;

  private record Outcome(int code, List<String> out, String err) {}

  @TempDir private Path directory;
  private Path tree;
  private Path jdk;
  private Path maven;

  @BeforeEach
  void makeTree() throws IOException {
    tree = directory.resolve("a tree");
    jdk = directory.resolve("a jdk");
    maven = directory.resolve("maven");
    Path real = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    program(tree.resolve("bin/bg3"), Files.readString(real.resolve("bin/bg3")));
    program(jdk.resolve("bin/java"), JAVA);
    program(jdk.resolve("bin/javac"), JAVA);
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");
    program(maven.resolve("mvn"), MAVEN);
    file("pom.xml");
    file("conf/logback.xml");
    file("bg3-core/pom.xml");
    file("bg3-core/src/main/java/Tree.java");
  }

  @Test
  void buildsWhatIsMissingAndThenRunsQuietly() throws Exception {
    Outcome first = run("version", "two words");
    assertEquals(0, first.code, first.err);
    assertTrue(first.err.startsWith("bg3: building bg3-server"), first.err);
    assertEquals(1, first.err.lines().count(), first.err);
    assertEquals(List.of("<io.bg3.cli.Main>", "<version>", "<two words>"), last(first.out, 3));
    Outcome second = run("version");
    assertEquals("", second.err);
    assertEquals(1, builds());
  }

  @Test
  void buildsAgainWhenASourceIsNewer() throws Exception {
    run("version");
    Files.setLastModifiedTime(
        tree.resolve("bg3-core/src/main/java/Tree.java"),
        FileTime.from(Instant.now().plusSeconds(60)));
    run("version");
    assertEquals(2, builds());
  }

  @Test
  void twoAtOnceBuildOnce() throws Exception {
    Process one = start(environmentPath(), "version");
    Process two = start(environmentPath(), "version");
    assertEquals(0, outcome(one).code);
    assertEquals(0, outcome(two).code);
    assertEquals(1, builds());
  }

  @Test
  void twoAtOnceBuildOnceWithoutFlock() throws Exception {
    Path tools = directory.resolve("tools");
    String names = "sh bash cat sed awk find head tail dirname readlink mkdir rm mv touch sleep";
    for (String tool : names.split(" ", -1)) {
      Path real = Path.of(Files.exists(Path.of("/bin", tool)) ? "/bin" : "/usr/bin", tool);
      program(tools.resolve(tool), "#!/bin/sh\nexec " + real + " \"$@\"\n");
    }
    String path = maven + ":" + tools;
    Process one = start(path, "version");
    Process two = start(path, "version");
    Outcome first = outcome(one);
    Outcome second = outcome(two);
    assertEquals(0, first.code, first.err);
    assertEquals(0, second.code, second.err);
    assertEquals(1, builds());
  }

  @Test
  void worksThroughSymbolicLinksFromAnywhere() throws Exception {
    Path link = directory.resolve("links/bg3");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, Path.of("../a tree/bin/bg3"));
    Process process = start(environmentPath(), link, "version");
    Outcome outcome = outcome(process);
    assertEquals(0, outcome.code, outcome.err);
    assertTrue(
        outcome.out.contains("<" + tree.toRealPath().resolve("bg3-server/target/dist/lib/*") + ">"),
        outcome.out.toString());
  }

  @Test
  void givesMemoryByTheMachineOrAsTold() throws Exception {
    List<String> options = run("server").out;
    assertTrue(options.stream().anyMatch(option -> option.matches("<-Xmx\\d+m>")), "" + options);
    assertTrue(
        options.stream().anyMatch(option -> option.matches("<-XX:MaxDirectMemorySize=\\d+m>")),
        options.toString());
    assertTrue(options.contains("<-XX:+ExitOnOutOfMemoryError>"), options.toString());
    assertTrue(options.stream().anyMatch(option -> option.matches("<-Xms\\d+m>")), "" + options);
    for (String heap : List.of("256m", "512m")) {
      assertTrue(server("BG3_HEAP", heap).contains("<-Xms" + heap + ">"), heap);
    }
    assertTrue(server("BG3_HEAP", "2g").contains("<-Xms512m>"));
    List<String> own = server("BG3_JAVA_OPTIONS", "-Xmx100m");
    assertTrue(own.stream().noneMatch(option -> option.startsWith("<-Xms")), own.toString());
    ProcessBuilder builder = builder(environmentPath(), tree.resolve("bin/bg3"), "load");
    builder.environment().put("BG3_HEAP", "3g");
    builder.environment().put("BG3_DIRECT", "5g");
    builder.environment().put("BG3_JAVA_OPTIONS", "-Da=1 -Db=2");
    List<String> told = outcome(builder.start()).out;
    assertTrue(
        told.containsAll(List.of("<-Xmx3g>", "<-XX:MaxDirectMemorySize=5g>", "<-Da=1>", "<-Db=2>")),
        told.toString());
    assertFalse(told.contains("<-XX:+ExitOnOutOfMemoryError>"), told.toString());
  }

  /** The arguments that the launcher starts the server with when a variable is set. */
  private List<String> server(String variable, String value) throws Exception {
    ProcessBuilder builder = builder(environmentPath(), tree.resolve("bin/bg3"), "server");
    builder.environment().put(variable, value);
    return outcome(builder.start()).out;
  }

  @Test
  void showsTheConsolesLibrariesToTheConsoleAlone() throws Exception {
    String libraries = tree.toRealPath().resolve("bg3-server/target/dist/lib-console/*").toString();
    String console = String.join(" ", run("console", "-Q").out);
    assertTrue(console.contains(":" + libraries + ">"), console);
    assertTrue(console.endsWith("<io.bg3.cli.Main> <console> <-Q>"), console);
    for (String command : List.of("server", "load", "export", "check")) {
      String others = String.join(" ", run(command).out);
      assertFalse(others.contains("lib-console"), others);
    }
  }

  @Test
  void opensTheVirtualMachineToGryoWhereItIsRead() throws Exception {
    String opened = "<--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED>";
    for (String command : List.of("load", "export", "console")) {
      assertTrue(run(command).out.contains(opened), command);
    }
    assertFalse(run("server").out.contains(opened));
  }

  @Test
  void saysWhatIsWrongWithJava() throws Exception {
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
    Outcome old = run("version");
    assertEquals(1, old.code);
    assertTrue(old.err.startsWith("bg3: Java 11 is too old: " + jdk), old.err);
    Files.delete(jdk.resolve("bin/java"));
    Outcome none = run("version");
    assertEquals(1, none.code);
    assertTrue(none.err.startsWith("bg3: JAVA_HOME is set to " + jdk), none.err);
    assertEquals(0, builds());
  }

  @Test
  void saysWhenMavenIsMissingOrFails() throws Exception {
    Outcome none = outcome(start("/usr/sbin:/bin", "version"));
    if (Files.notExists(Path.of("/bin/mvn"))) {
      assertEquals(1, none.code);
      assertTrue(none.err.startsWith("bg3: Maven was not found"), none.err);
    }
    program(maven.resolve("mvn"), "#!/bin/sh\necho 'it does not compile'\nexit 1\n");
    Outcome failed = run("version");
    assertEquals(1, failed.code);
    assertTrue(failed.err.contains("it does not compile"), failed.err);
    assertTrue(failed.err.contains("the build failed; all of it is in " + tree), failed.err);
  }

  /** The engine looks at the reasons of failed calls, which Java has as texts only. */
  @Test
  void asksForTheReasonsOfFailedCallsInEnglish() throws Exception {
    program(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        printf '%s,%s,%s\\n' "$LC_ALL" "$LC_MESSAGES" "$LC_CTYPE"
        """);
    ProcessBuilder builder = builder(environmentPath(), tree.resolve("bin/bg3"), "version");
    builder.environment().put("LC_ALL", "de_DE.UTF-8");
    builder.environment().put("LC_MESSAGES", "de_DE.UTF-8");
    assertEquals(List.of(",C,de_DE.UTF-8"), outcome(builder.start()).out());
  }

  private int builds() throws IOException {
    Path counted = directory.resolve("builds");
    return Files.exists(counted) ? Files.readAllLines(counted).size() : 0;
  }

  private Outcome run(String... arguments) throws Exception {
    return outcome(start(environmentPath(), arguments));
  }

  private String environmentPath() {
    return maven + ":" + System.getenv("PATH");
  }

  private Process start(String path, String... arguments) throws IOException {
    return start(path, tree.resolve("bin/bg3"), arguments);
  }

  private Process start(String path, Path program, String... arguments) throws IOException {
    return builder(path, program, arguments).start();
  }

  private ProcessBuilder builder(String path, Path program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("PATH", path);
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().put("BUILDS", directory.resolve("builds").toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("BG3_"));
    return builder;
  }

  private static Outcome outcome(Process process) throws Exception {
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(300, TimeUnit.SECONDS), "it does not end");
    return new Outcome(process.exitValue(), out.lines().toList(), err);
  }

  private static List<String> last(List<String> lines, int count) {
    return lines.subList(lines.size() - count, lines.size());
  }

  private void file(String name) throws IOException {
    Path file = tree.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, name + "\n");
  }

  private static void program(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
