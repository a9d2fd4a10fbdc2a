package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.server.Request;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command with every request, on a graph of a few thousand edges. */
class ServerCommandIT {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @Test
  void bothServersGiveTheSameAnswersToEveryRequest() throws IOException {
    Path json = directory.resolve("run.jsonl");
    int code =
        run(
            "bench",
            "server",
            "--vertices=200",
            "--edges=2000",
            "--clients=1,3",
            "--rounds=1",
            "--seconds=0.05",
            "--json=" + json);
    assertEquals(0, code, () -> err + "\n" + out);
    List<String> lines = Files.readAllLines(json);
    for (Request request : Request.values()) {
      for (String form : List.of("bytecode", "text")) {
        for (String system : List.of("bg3", "gremlin-server")) {
          String start =
              "{\"work\": \""
                  + request.label()
                  + "-"
                  + form
                  + "\", \"system\": \""
                  + system
                  + "\", \"value\": ";
          assertEquals(
              2, lines.stream().filter(line -> line.startsWith(start)).count(), out::toString);
        }
        assertTrue(out.toString().contains(request.label() + "-" + form), out::toString);
      }
    }
    assertTrue(lines.stream().anyMatch(line -> line.contains(".cost\"")), lines::toString);
  }

  @Test
  void aRequestThatIsNotThereIsNamedWithThoseThatAre() {
    assertEquals(2, run("bench", "server", "--only=walk"));
    assertTrue(
        err.toString().contains("no such request: request=walk, known=point, "), err::toString);
  }

  @Test
  void whatMeasuresNothingIsRefused() {
    assertEquals(2, run("bench", "server", "--rounds=0"));
    assertTrue(err.toString().contains("must be positive"), err::toString);
  }
}
