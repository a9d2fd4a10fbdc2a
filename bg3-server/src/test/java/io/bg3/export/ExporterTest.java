package io.bg3.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.transfer.GraphFileWriter;
import io.bg3.transfer.GraphSource;
import io.bg3.transfer.Losses;
import io.bg3.transfer.StoreSource;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.csv.CsvGraphWriter;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.DefinitionsFile;
import io.bg3.transfer.definitions.IndexDefinition;
import io.bg3.transfer.star.GryoGraphWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports with and without definitions, over earlier exports, and with a writer that fails. */
class ExporterTest {
  private static final Definitions OLD = index("old");
  private static final Definitions NEW = index("new");

  @TempDir private Path directory;

  /** Looks at the directory while it writes, and fails if it is told so. */
  private final class Watched implements GraphFileWriter {
    private final boolean fails;
    private Set<String> seen;

    Watched(boolean fails) {
      this.fails = fails;
    }

    @Override
    public int passes() {
      return 1;
    }

    @Override
    public void write(GraphSource source, Path target, Losses losses, LongConsumer progress)
        throws IOException {
      new GryoGraphWriter().write(source, target, losses, progress);
      seen = names();
      if (fails) {
        throw new IOException("no space");
      }
    }
  }

  @Test
  void definitionsAreReplacedWithTheGraph() throws IOException {
    Path target = directory.resolve("g.kryo");
    export(new GryoGraphWriter(), target, Optional.of(OLD));
    assertEquals(OLD, DefinitionsFile.beside(target).read());
    export(new GryoGraphWriter(), target, Optional.of(NEW));
    assertEquals(NEW, DefinitionsFile.beside(target).read());
    assertEquals(Set.of("g.kryo", "g.kryo.definitions.json"), names());
    export(new GryoGraphWriter(), target, Optional.empty());
    assertEquals(Set.of("g.kryo"), names());
  }

  @Test
  void definitionsOfADirectoryAreInIt() throws IOException {
    Path target = directory.resolve("csv");
    export(new CsvGraphWriter(), target, Optional.of(OLD));
    export(new CsvGraphWriter(), target, Optional.of(NEW));
    assertEquals(NEW, DefinitionsFile.in(target).read());
    assertEquals(Set.of("csv"), names());
    export(new CsvGraphWriter(), target, Optional.empty());
    assertFalse(Files.exists(target.resolve(DefinitionsFile.NAME)));
    Files.writeString(target.resolve("mine.json"), "");
    TransferException refused =
        assertThrows(
            TransferException.class, () -> export(new CsvGraphWriter(), target, Optional.of(NEW)));
    assertTrue(refused.getMessage().contains("is not an export"), refused.getMessage());
  }

  @Test
  void anExportThatFailsLeavesTheEarlierOne() throws IOException {
    Path target = directory.resolve("g.kryo");
    export(new GryoGraphWriter(), target, Optional.of(OLD));
    byte[] graph = Files.readAllBytes(target);
    Watched watched = new Watched(true);
    assertThrows(TransferException.class, () -> export(watched, target, Optional.of(NEW)));
    assertEquals(OLD, DefinitionsFile.beside(target).read());
    assertEquals(graph.length, Files.size(target));
    assertEquals(Set.of("g.kryo", "g.kryo.definitions.json"), names());
    assertThrows(
        TransferException.class,
        () -> export(watched, directory.resolve("other.kryo"), Optional.of(NEW)));
    assertEquals(Set.of("g.kryo", "g.kryo.definitions.json"), names());
  }

  @Test
  void aFileThatIsNoneOfDefinitionsIsNotReplaced() throws IOException {
    Path target = directory.resolve("g.kryo");
    Path definitions = DefinitionsFile.beside(target).path();
    Files.writeString(definitions, "{\"format\":\"mine\"}");
    Watched watched = new Watched(false);
    TransferException refused =
        assertThrows(TransferException.class, () -> export(watched, target, Optional.of(NEW)));
    assertTrue(refused.getMessage().contains("is not replaced: file="), refused.getMessage());
    Files.delete(definitions);
    Files.createDirectory(definitions);
    assertThrows(TransferException.class, () -> export(watched, target, Optional.of(NEW)));
    assertNull(watched.seen, "nothing was written");
    assertEquals(Set.of("g.kryo.definitions.json"), names());
  }

  /** X3: neither name is there before both files are complete. */
  @Test
  void nothingHasItsNameBeforeTheGraphIsWritten() throws IOException {
    Watched watched = new Watched(false);
    export(watched, directory.resolve("g.kryo"), Optional.of(NEW));
    assertEquals(1, watched.seen.size());
    assertTrue(watched.seen.iterator().next().matches("\\.g\\.kryo\\.\\d+\\.tmp"));
  }

  private Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Set<String> names = new TreeSet<>();
      files.forEach(file -> names.add(file.getFileName().toString()));
      return names;
    }
  }

  private static void export(GraphFileWriter writer, Path target, Optional<Definitions> definitions)
      throws IOException {
    Losses losses = new Losses(false);
    try (Bg3 graph = Bg3.open(Settings.defaults());
        GraphSource source = new StoreSource(graph.graph(), losses)) {
      Exporter exporter = new Exporter(writer, target, true);
      exporter.check();
      exporter.export(source, definitions, losses, count -> {});
    }
  }

  private static Definitions index(String key) {
    return Definitions.of(List.of(new IndexDefinition(IndexedKeys.ofVertices(null, key), false)));
  }
}
