package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command, on a graph of a few thousand edges. */
class PaperCommandIT {
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
  void bothFiguresArePrintedAndWritten() throws IOException {
    Path json = directory.resolve("run.jsonl");
    Path stores = directory.resolve("stores");
    int code =
        run(
            "bench",
            "paper",
            "--pages=8,16",
            "--sources=200",
            "--edges=4000",
            "--warm-up=500",
            "--writes=500",
            "--dir=" + stores,
            "--json=" + json);
    assertEquals(0, code, () -> err + "\n" + out);
    List<String> lines = Files.readAllLines(json);
    assertEquals(12, lines.size(), lines::toString); // two figures, two sizes, three rules
    for (String work : List.of("figure-nine", "figure-ten")) {
      String start = "{\"work\": \"" + work + "\", \"system\": \"one-delta\", \"value\": ";
      assertEquals(2, lines.stream().filter(line -> line.startsWith(start)).count(), out::toString);
    }
    assertTrue(out.toString().contains("Figure 9: "), out::toString);
    assertTrue(out.toString().contains("paper: 70 MB/s"), out::toString);
    assertTrue(Files.exists(directory.resolve("run-figure-ten-in.png")));
    assertEquals(0, stores.toFile().list().length, "nothing is left behind");
  }

  @Test
  void aFigureThatIsNotThereIsNamed() {
    assertEquals(2, run("bench", "paper", "--figure=8"));
    assertTrue(err.toString().contains("no such figure: figure=8, known=9, 10"), err::toString);
  }

  @Test
  void sizesThatAreNoPagesAreRefused() {
    assertEquals(2, run("bench", "paper", "--pages=1"));
    assertTrue(err.toString().contains("a page has 4 to 256 KiB: pages=1"), err::toString);
  }
}
