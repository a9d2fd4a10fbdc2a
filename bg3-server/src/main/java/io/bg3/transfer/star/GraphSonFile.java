package io.bg3.transfer.star;

import io.bg3.transfer.CountedInput;
import io.bg3.transfer.FilePosition;
import io.bg3.transfer.TransferException;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONReader;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;

/** A GraphSON 3 file with one vertex a line. */
public final class GraphSonFile extends StarFile {
  /** The id that TinkerPop's star graph generates for other JSON objects. */
  private static final Object NO_ID = 0L;

  private final GraphSONReader reader =
      GraphSONReader.build().mapper(GraphSonGraphWriter.mapper()).create();

  /** Creates a file with this path. */
  public GraphSonFile(Path path) {
    super(path);
  }

  @Override
  public void check() throws IOException {
    try (BufferedReader lines = open(count -> {})) {
      int first = lines.read();
      if (first >= 0 && first != '{') {
        throw new TransferException(
            FilePosition.line(path(), 1) + ": not GraphSON with a vertex in every line");
      }
    } catch (CharacterCodingException e) {
      throw new TransferException(FilePosition.line(path(), 1) + ": not UTF-8", e);
    }
  }

  @Override
  void stars(BadStars badStars, LongConsumer progress, StarVisitor visitor) throws IOException {
    long number = 0;
    try (BufferedReader lines = open(progress)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        FilePosition place = FilePosition.line(path(), ++number);
        Vertex star = line.isBlank() ? null : star(line, place, badStars);
        if (star != null) {
          visitor.visit(star, place);
        }
      }
    } catch (CharacterCodingException e) {
      throw new TransferException(FilePosition.line(path(), number + 1) + ": not UTF-8", e);
    }
  }

  private BufferedReader open(LongConsumer progress) throws TransferException {
    return new BufferedReader(
        new InputStreamReader(
            CountedInput.open(path(), progress), StandardCharsets.UTF_8.newDecoder()),
        1 << 16);
  }

  private Vertex star(String line, FilePosition place, BadStars badStars) throws IOException {
    try {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      Vertex star = reader.readVertex(new ByteArrayInputStream(bytes), null, null, Direction.BOTH);
      if (!star.id().equals(NO_ID) || new ObjectMapper().readTree(bytes).has("id")) {
        return star;
      }
      badStars.bad(place, "not a vertex of GraphSON 3: it has no id");
    } catch (JsonProcessingException e) {
      badStars.bad(place, "not JSON: " + firstLine(e.getOriginalMessage()));
    } catch (IOException | RuntimeException e) { // thrown by the reader for other JSON
      badStars.bad(place, "not a vertex of GraphSON 3: " + firstLine(e.toString()));
    }
    return null;
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }
}
