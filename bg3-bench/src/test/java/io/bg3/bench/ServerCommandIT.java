package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.server.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command with every request, on a graph of a few thousand edges. */
class ServerCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  @Test
  void bothServersGiveTheSameAnswersToEveryRequest() throws IOException {
    Path json = directory.resolve("run.jsonl");
    List<String> lines =
        bg3.measure(
            json,
            "bench",
            "server",
            "--vertices=200",
            "--edges=2000",
            "--clients=1,3",
            "--rounds=1",
            "--seconds=0.05");
    for (Request request : Request.values()) {
      for (String form : List.of("bytecode", "text", "parameters")) {
        for (String system : List.of("bg3", "gremlin-server")) {
          String work = request.label() + "-" + form;
          assertEquals(2, CommandRun.count(lines, work, system), bg3.out::toString);
        }
        assertTrue(bg3.out.toString().contains(request.label() + "-" + form), bg3.out::toString);
      }
    }
    assertTrue(lines.stream().anyMatch(line -> line.contains(".cost\"")), lines::toString);
  }

  @Test
  void clientsCanDoWithoutCompression() {
    int code =
        bg3.run(
            "bench",
            "server",
            "--vertices=200",
            "--edges=2000",
            "--clients=1",
            "--only=point",
            "--compression=off",
            "--rounds=1",
            "--seconds=0.05");
    assertEquals(0, code, () -> bg3.err + "\n" + bg3.out);
    assertTrue(bg3.out.toString().contains("compression=off; "), bg3.out::toString);
  }

  @Test
  void aRequestThatIsNotThereIsNamedWithThoseThatAre() {
    bg3.requireRefused(
        "no such request: request=walk, known=point, ", "bench", "server", "--only=walk");
  }

  @Test
  void whatMeasuresNothingIsRefused() {
    bg3.requireRefused("must be positive", "bench", "server", "--rounds=0");
  }
}
