package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Gives commands as a shell would and looks at exit codes and what was printed. */
class CommandLineTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server", "console", "load", "export", "stats", "check", "user", "queries", "version"
      })
  void everyCommandHasHelp(String command) {
    CommandRun outcome = run(command, "--help");
    assertEquals(0, outcome.code());
    assertTrue(outcome.out().contains("Usage: bg3 " + command), outcome.out());
    assertEquals("", outcome.err());
  }

  @Test
  void theProgramListsItsCommands() {
    CommandRun outcome = run("--help");
    assertEquals(0, outcome.code());
    for (String command :
        List.of(
            "server", "console", "load", "export", "stats", "check", "user", "queries",
            "version")) {
      assertTrue(outcome.out().contains("  " + command + " "), outcome.out());
    }
  }

  @Test
  void versionNamesAllThree() {
    CommandRun outcome = run("version");
    assertEquals(0, outcome.code());
    assertTrue(outcome.out().matches("(?s)bg3 .*tinkerpop 3\\..*java \\d.*"), outcome.out());
  }

  @Test
  void theConsoleSaysWhereItComesFromWhenItIsNotThere() {
    CommandRun outcome = run("console", "-Q", "-e", "script.groovy");
    assertEquals(1, outcome.code());
    assertTrue(
        outcome.err().startsWith("bg3: the console is not on the class path: "), outcome.err());
    assertTrue(outcome.err().contains("'bin/bg3 console' starts it"), outcome.err());
  }

  @Test
  void aWrongCallEndsWithTwo() {
    assertEquals(2, run().code());
    assertEquals(2, run("sever").code());
    assertEquals(2, run("load", "--data", directory.toString()).code());
    assertEquals(2, run("server", "--port", "many").code());
    CommandRun unsafe = run("server", "--host", "0.0.0.0", "--data", directory.toString());
    assertEquals(2, unsafe.code());
    assertTrue(unsafe.err().contains("--insecure"), unsafe.err());
    assertTrue(
        unsafe.err().contains("missing=server.users, missing=server.tls.keystore"), unsafe.err());
  }

  @Test
  void loadsCountsAndChecks() throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,Ada", "2,person,Charles");
    Path knows = file("knows.csv", "~from,~to,~label", "1,2,knows");
    CommandRun load = run("load", "--data", store(), knows.toString(), people.toString());
    assertEquals(0, load.code(), load.err());
    assertTrue(load.out().contains("loaded 2 vertices and 1 edge in "), load.out());
    assertEquals("", load.err());

    CommandRun stats = run("stats", "--data", store());
    assertEquals(0, stats.code(), stats.err());
    for (String line :
        List.of(
            "vertices +2",
            "  person +2",
            "edges +1",
            "  knows +1",
            "  base +\\d+ +[\\d,]+ +[\\d,]+ +[1-9]\\d? %",
            "    of them moved +0",
            "  to the log +[1-9][\\d,]*",
            "  for each byte of the log +[1-9]\\d*\\.\\d\\d",
            "  bg3\\.durability +sync \\(default\\)")) {
      assertTrue(
          stats.out().lines().anyMatch(printed -> printed.matches(line)),
          line + "\n" + stats.out());
    }

    CommandRun check = run("check", "--data", store());
    assertEquals(0, check.code(), check.out() + check.err());
    assertTrue(check.out().startsWith("the store is sound: problems=0, "), check.out());
  }

  @Test
  void whatIsExportedCanBeLoadedAndIsNotReplacedUnasked() throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,Ada", "2,person,Charles");
    Path knows = file("knows.csv", "~from,~to,~label", "1,2,knows");
    run("load", "--data", store(), knows.toString(), people.toString());
    for (String name : List.of("g.graphml", "g.json", "g.kryo", "csv")) {
      String target = directory.resolve(name).toString();
      String format = name.equals("csv") ? "csv" : name.substring(2).replace("json", "graphson");
      format = format.replace("kryo", "gryo");
      CommandRun export = run("export", "--data", store(), "--format", format, target);
      assertEquals(0, export.code(), export.err());
      assertTrue(export.out().startsWith("exported 2 vertices and 1 edge in "), export.out());
      CommandRun again = run("export", "--data", store(), "--format", format, target);
      assertEquals(1, again.code());
      assertEquals(
          "bg3: the target exists: target=" + target + "\n--force replaces it.\n", again.err());
      assertEquals(
          0, run("export", "--data", store(), "--format", format, "--force", target).code());
      CommandRun load =
          run("load", "--data", directory.resolve(name + ".store").toString(), target);
      assertEquals(0, load.code(), load.err());
      assertTrue(load.out().contains("loaded 2 vertices and 1 edge in "), load.out());
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.filter(file -> file.toString().endsWith(".tmp")).count());
    }
  }

  @Test
  void aWrongTargetOrFormatIsNamed() throws IOException {
    run("load", "--data", store(), file("v.csv", "~id,x", "1,a").toString());
    CommandRun unknown = run("export", "--data", store(), directory.resolve("x.txt").toString());
    assertEquals(2, unknown.code());
    assertTrue(
        unknown.err().startsWith("bg3: cannot tell the format by the ending: "), unknown.err());
    CommandRun csv = run("export", "--data", store(), directory.resolve("x.csv").toString());
    assertEquals(2, csv.code());
    assertTrue(csv.err().startsWith("bg3: CSV is a directory of two files: "), csv.err());
    CommandRun nowhere =
        run("export", "--data", store(), directory.resolve("no/x.json").toString());
    assertEquals(1, nowhere.code());
    assertTrue(nowhere.err().startsWith("bg3: there is no directory to write to: "), nowhere.err());
    CommandRun own = run("export", "--data", store(), "--format", "csv", "--force", store());
    assertEquals(1, own.code());
    assertTrue(
        own.err().startsWith("bg3: the target is not an export and is not replaced"), own.err());
    CommandRun load = run("load", "--data", store(), file("v.txt", "~id").toString());
    assertEquals(2, load.code());
    assertTrue(load.err().startsWith("bg3: cannot tell the format by the ending: "), load.err());
  }

  @Test
  void aBadRowIsPrintedAndAStrictLoadFails() throws IOException {
    Path people = file("people.csv", "~id,age:int", "1,36", "2,old");
    CommandRun lenient = run("load", "--data", store(), people.toString());
    assertEquals(3, lenient.code(), lenient.err());
    assertEquals(
        "bad row: "
            + people
            + ":3: not a value of the column's type: column=age, type=int, value=old\n",
        lenient.err());
    assertTrue(lenient.out().contains("bad rows skipped: 1"), lenient.out());
    CommandRun strict =
        run(
            "load",
            "--strict",
            "--data",
            directory.resolve("strict").toString(),
            people.toString());
    assertEquals(1, strict.code());
    assertTrue(
        strict.err().startsWith("bg3: stopped at a bad row: " + people + ":3: "), strict.err());
    assertFalse(strict.err().contains("\tat "), strict.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"stats", "check", "server", "load"})
  void aStoreInUseNamesWhoHasIt(String command) throws IOException {
    Path file = file("v.csv", "~id", "1");
    try (Bg3 holder = Bg3.open(Path.of(store()))) {
      CommandRun outcome =
          command.equals("load")
              ? run(command, "--data", store(), file.toString())
              : run(command, "--data", store());
      assertEquals(1, outcome.code());
      assertTrue(outcome.err().contains("pid=" + ProcessHandle.current().pid()), outcome.err());
      assertFalse(outcome.err().contains("Exception"), outcome.err());
      assertFalse(holder.settings().toString().isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stats", "check"})
  void lookingMakesNoStore(String command) {
    CommandRun outcome = run(command, "--data", store());
    assertEquals(1, outcome.code());
    assertTrue(outcome.err().startsWith("bg3: there is no store: data=" + store()), outcome.err());
    assertTrue(Files.notExists(Path.of(store())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"stats", "check", "server", "load", "export"})
  void whatIsNoStoreIsLeftAlone(String command) throws IOException {
    Path file = file("v.csv", "~id", "1");
    for (Path data : List.of(directory, file)) {
      List<String> arguments = new ArrayList<>(List.of(command, "--data", data.toString()));
      if (command.equals("load")) {
        arguments.add(file.toString());
      } else if (command.equals("export")) {
        arguments.add(directory.resolve("g.json").toString());
      }
      CommandRun outcome = run(arguments.toArray(String[]::new));
      assertEquals(1, outcome.code());
      assertTrue(outcome.err().contains("data=" + data + "\n"), outcome.err());
      assertFalse(outcome.err().contains("Exception"), outcome.err());
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void aWrongCallSaysWhatIsWrongFirstAndWhereMoreIsSaid() {
    CommandRun outcome = run("load", "--format", "xls", "x");
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().startsWith("bg3: Invalid value for option '--format'"), outcome.err());
    assertTrue(outcome.err().endsWith("\n'bg3 load --help' says more.\n"), outcome.err());
    assertEquals(2, outcome.err().lines().count(), outcome.err());
    assertTrue(run("lod").err().contains("Did you mean: bg3 load"), run("lod").err());
    CommandRun both = run("export", "--remote", "a:1", "--data", store(), "x.json");
    assertEquals(2, both.code());
    assertTrue(both.err().contains("exclude each other"), both.err());
    assertEquals(2, run("load", "--user", "ada", "x.csv").code());
    assertEquals(2, run("export", "--remote", "a:b", "x.json").code());
  }

  @Test
  void aBadSettingNamesTheNearest() throws IOException {
    Path config = file("bg3.properties", "bg3.durabilty=sync");
    CommandRun outcome = run("server", "--data", store(), "--config", config.toString());
    assertEquals(1, outcome.code());
    assertEquals(
        "bg3: unknown setting: key=bg3.durabilty, nearest=bg3.durability, file=" + config + "\n",
        outcome.err());
    Files.writeString(config, "server.port=70000\n");
    assertEquals(
        "bg3: setting is out of range: key=server.port, value=70000, range=1 to 65535, file="
            + config
            + "\n",
        run("server", "--data", store(), "--config", config.toString()).err());
    Files.writeString(config, "bg3.durability=maybe\n");
    assertTrue(
        run("stats", "--data", store(), "--config", config.toString())
            .err()
            .contains("key=bg3.durability, value=maybe"));
    assertTrue(
        run("stats", "--data", store(), "--config", config.toString())
            .err()
            .endsWith(", file=" + config + "\n"));
  }

  @Test
  void aLoadEndsAfterTheBadRowsThatAreAllowed() throws IOException {
    Path people = file("people.csv", "~id,age:int", "1,36", "2,old", "3,older", "4,40");
    CommandRun stopped = run("load", "--max-bad-rows", "1", "--data", store(), people.toString());
    assertEquals(1, stopped.code());
    assertTrue(stopped.err().contains("bad rows skipped before it: 1\n"), stopped.err());
    String other = directory.resolve("other").toString();
    assertEquals(3, run("load", "--max-bad-rows", "2", "--data", other, people.toString()).code());
    CommandRun wrong = run("load", "--strict", "--max-bad-rows", "2", "--data", other, "x.csv");
    assertEquals(2, wrong.code());
    assertTrue(wrong.err().contains("contradict"), wrong.err());
    assertEquals(2, run("load", "--max-bad-rows=-1", "--data", other, "x.csv").code());
  }

  @Test
  void noLineOfHelpIsTooLongForATerminal() {
    CommandLine program = Main.commandLine();
    List<CommandLine> commands = new ArrayList<>(program.getSubcommands().values());
    commands.addAll(program.getSubcommands().get("user").getSubcommands().values());
    commands.add(program);
    for (CommandLine command : commands) {
      var usage = command.getCommandSpec().usageMessage();
      for (String line : usage.footer()) {
        assertTrue(line.length() < 80, command.getCommandName() + ": " + line);
      }
    }
  }

  @Test
  void anUnknownOptionNamesTheNearest() {
    CommandRun outcome = run("server", "--prot", "8183");
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("--port"), outcome.err());
  }

  @Test
  void checkPrintsWhatIsDamaged() throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,Ada", "2,person,Charles");
    assertEquals(0, run("load", "--data", store(), people.toString()).code());
    Path base;
    try (Stream<Path> files = Files.list(Path.of(store()))) {
      base =
          files
              .filter(file -> file.getFileName().toString().startsWith("extent-base"))
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(base);
    for (int i = 64; i < bytes.length; i += 16) {
      bytes[i] ^= 0x10;
    }
    Files.write(base, bytes);
    CommandRun check = run("check", "--data", store());
    assertEquals(1, check.code(), check.out());
    assertTrue(check.out().contains(base.getFileName().toString()), check.out());
    assertTrue(check.out().contains("the store is damaged: problems="), check.out());
  }

  @Test
  void aLoadIndexesAndACheckMendsIndexes() throws IOException {
    Path people =
        file("people.csv", "~id,~label,name,mail", "1,person,Ada,a@b", "2,person,Ada,c@d");
    CommandRun load =
        run(
            "load",
            "--data",
            store(),
            "--index",
            "person.name",
            "--index=*.mail",
            "--unique-index",
            "person.mail",
            "--unique-index",
            "person.name+mail",
            people.toString());
    assertEquals(0, load.code(), load.out() + load.err());
    assertTrue(load.out().contains("index person.name: ready"), load.out());
    assertTrue(load.out().contains("index *.mail: ready"), load.out());
    assertTrue(load.out().contains("index person.mail: ready"), load.out());
    assertTrue(load.out().contains("index person.name+mail: ready"), load.out());
    try (Bg3 open = Bg3.open(Path.of(store()))) {
      assertEquals(4, open.graph().indexes().size());
    }
    CommandRun check = run("check", "--indexes", "--data", store());
    assertEquals(0, check.code(), check.out() + check.err());
    assertTrue(check.out().contains("index person.name: sound"), check.out());
    assertTrue(check.out().contains("index person.name+mail: sound"), check.out());
    assertTrue(check.out().contains("all property indexes are ready: data="), check.out());
  }

  @Test
  void aLoadIndexesEdges() throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,Ada", "2,person,Charles");
    Path knows =
        file("knows.csv", "~from,~to,~label,since:Int", "1,2,knows,1840", "2,1,knows,1841");
    CommandRun load =
        run(
            "load",
            "--data",
            store(),
            "--index",
            "edge:knows.since",
            "--unique-index=edge:*.since",
            people.toString(),
            knows.toString());
    assertEquals(0, load.code(), load.out() + load.err());
    assertTrue(load.out().contains("index edge:knows.since: ready"), load.out());
    assertTrue(load.out().contains("index edge:*.since: ready"), load.out());
    CommandRun check = run("check", "--indexes", "--data", store());
    assertEquals(0, check.code(), check.out() + check.err());
    assertTrue(check.out().contains("index edge:knows.since: sound"), check.out());
  }

  @Test
  void aLoadThatCannotIndexSaysWhy() throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,Ada", "2,person,Ada");
    assertEquals(2, run("load", "--data", store(), "--index", "name", people.toString()).code());
    assertEquals(2, run("load", "--data", store(), "--index", "a.b+", people.toString()).code());
    assertEquals(2, run("load", "--data", store(), "--index", "a.b+b", people.toString()).code());
    assertEquals(2, run("load", "--index=a.b", "--unique-index=a.b", people.toString()).code());
    CommandRun load = run("load", "--data", store(), "--unique-index=*.name", people.toString());
    assertEquals(1, load.code(), load.out());
    assertTrue(
        load.out().contains("index *.name: no two vertices may have this value"), load.out());
    assertTrue(load.out().contains("loaded 2 vertices"), load.out());
    assertEquals(1, run("check", "--indexes", "--data", store()).code());
  }

  @Test
  void whatOnlyReadsChangesNoFile() throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,Ada", "2,person,Charles");
    assertEquals(0, run("load", "--data", store(), people.toString()).code());
    Map<String, String> before = contents();
    assertEquals(0, run("check", "--data", store()).code());
    assertEquals(before, contents());
    assertEquals(0, run("stats", "--data", store()).code());
    assertEquals(before, contents());
    String target = directory.resolve("g.json").toString();
    assertEquals(0, run("export", "--data", store(), target).code());
    assertEquals(before, contents());
  }

  @ParameterizedTest
  @ValueSource(strings = {"manifest", "log-.*", "extent-map.*"})
  void aStoreThatDoesNotOpenSaysWhatIsLostAndWhatToDo(String missing) throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,Ada", "2,person,Charles");
    assertEquals(0, run("load", "--data", store(), people.toString()).code());
    for (String name : contents().keySet()) {
      if (name.matches(missing)) {
        Files.delete(Path.of(store()).resolve(name));
      }
    }
    Map<String, String> before = contents();
    String target = directory.resolve("g.json").toString();
    for (List<String> arguments :
        List.of(
            List.of("check", "--data", store()),
            List.of("stats", "--data", store()),
            List.of("export", "--data", store(), target),
            List.of("load", "--data", store(), people.toString()),
            List.of("server", "--data", store(), "--port", "28461"))) {
      CommandRun outcome = run(arguments.toArray(String[]::new));
      String said = outcome.out() + outcome.err();
      assertEquals(1, outcome.code(), said);
      assertTrue(said.contains("file=" + store()), said);
      assertTrue(said.contains("no file was changed"), said);
      assertTrue(said.contains("backup"), said);
      assertEquals(before, contents(), arguments.toString());
    }
  }

  /** As on a full disk: the log cannot get its next segment. */
  @Test
  void aLoadThatTheStoreEndsSaysWhereAndWhatWasKept() throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,Ada");
    assertEquals(0, run("load", "--data", store(), people.toString()).code());
    Path next = Path.of(store()).resolve("log-00000000000ff000");
    Files.createDirectory(next);
    List<String> rows = new ArrayList<>(List.of("~id,~label,text"));
    for (int i = 2; i < 8_000; i++) {
      rows.add(i + ",person," + "x".repeat(200));
    }
    Path more = file("more.csv", rows.toArray(String[]::new));
    CommandRun load = run("load", "--data", store(), more.toString());
    assertEquals(1, load.code());
    assertTrue(load.err().contains("file=" + next), load.err());
    Matcher kept =
        Pattern.compile("loaded before it: vertices=(\\d+), edges=0, up to .*more.csv:(\\d+)")
            .matcher(load.err());
    assertTrue(kept.find(), load.err());
    assertEquals(kept.group(2), "" + (Long.parseLong(kept.group(1)) + 1), load.err());
    String vertices = "vertices +" + String.format("%,d", 1 + Long.parseLong(kept.group(1)));
    CommandRun stats = run("stats", "--data", store());
    assertTrue(
        stats.out().lines().anyMatch(line -> line.matches(vertices)), stats.out() + load.err());
  }

  /** Contents of the store's files by name. */
  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(Path.of(store()))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        contents.put(name, Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return contents;
  }

  @Test
  void usersAreAddedListedAndRemoved() throws IOException {
    String users = directory.resolve("users").toString();
    CommandRun added = withInput("a password\n", "user", "add", "ada", "--file", users);
    assertEquals(0, added.code(), added.err());
    assertEquals("added user ada (writer) in " + users + "\n", added.out());
    CommandRun changed =
        withInput("another password\n", "user", "add", "ada", "--role", "reader", "--file", users);
    assertEquals("changed user ada (reader) in " + users + "\n", changed.out());
    assertEquals("ada (reader)\n", run("user", "list", "--file", users).out());
    assertFalse(Files.readString(Path.of(users)).contains("password"));
    assertEquals(
        "removed user ada from " + users + "\n",
        run("user", "remove", "ada", "--file", users).out());
    CommandRun gone = run("user", "remove", "ada", "--file", users);
    assertEquals(1, gone.code());
    assertTrue(gone.err().startsWith("bg3: there is no such user: name=ada"), gone.err());
  }

  @Test
  void aUserGetsLimitsThatANewPasswordLeaves() throws IOException {
    String users = directory.resolve("users").toString();
    assertEquals(1, run("user", "limit", "ada", "--time", "5", "--file", users).code());
    withInput("a password\n", "user", "add", "ada", "--file", users);
    CommandRun limited =
        run("user", "limit", "ada", "--time", "5000", "--memory", "none", "--file", users);
    assertEquals(
        "limited user ada (writer) time=5000,memory=none in " + users + "\n", limited.out());
    run("user", "limit", "ada", "--queries", "2", "--time", "default", "--file", users);
    withInput("another password\n", "user", "add", "ada", "--role", "reader", "--file", users);
    assertEquals(
        "ada (reader) queries=2,memory=none\n", run("user", "list", "--file", users).out());
    assertEquals(2, run("user", "limit", "ada", "--file", users).code());
    for (String wrong : new String[] {"0", "-1", "5s", ""}) {
      CommandRun refused = run("user", "limit", "ada", "--time", wrong, "--file", users);
      assertEquals(1, refused.code());
      assertTrue(refused.err().contains("limit=time"), refused.err());
    }
    CommandRun unknown = run("user", "limit", "zoe", "--time", "5", "--file", users);
    assertEquals(1, unknown.code());
    assertTrue(unknown.err().startsWith("bg3: there is no such user: name=zoe"), unknown.err());
  }

  @Test
  void aUserNeedsANameARoleAndAPassword() {
    String users = directory.resolve("users").toString();
    assertEquals(1, withInput("a password\n", "user", "add", "a:b", "--file", users).code());
    assertEquals(
        1, withInput("a password\n", "user", "add", "a", "--role", "x", "--file", users).code());
    assertTrue(
        withInput("short\n", "user", "add", "ada", "--file", users).err().contains("least=8"));
    assertTrue(withInput("", "user", "add", "ada", "--file", users).err().contains("no password"));
    assertEquals(2, run("user").code());
    assertTrue(Files.notExists(Path.of(users)));
  }

  private static CommandRun withInput(String input, String... arguments) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    try {
      return run(arguments);
    } finally {
      System.setIn(before);
    }
  }

  private String store() {
    return directory.resolve("store").toString();
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
  }

  private static CommandRun run(String... arguments) {
    return CommandRun.of(arguments);
  }
}
