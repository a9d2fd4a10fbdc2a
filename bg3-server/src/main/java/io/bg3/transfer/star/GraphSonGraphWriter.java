package io.bg3.transfer.star;

import io.bg3.transfer.GraphFileWriter;
import io.bg3.transfer.GraphSource;
import io.bg3.transfer.Losses;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONMapper;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONVersion;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONWriter;

/** Writes a graph as GraphSON 3, one vertex a line. */
public final class GraphSonGraphWriter implements GraphFileWriter {
  static GraphSONMapper mapper() {
    return GraphSONMapper.build().version(GraphSONVersion.V3_0).addDefaultXModule(true).create();
  }

  @Override
  public int passes() {
    return 1;
  }

  @Override
  public void write(GraphSource source, Path target, Losses losses, LongConsumer progress)
      throws IOException {
    GraphSONWriter writer = GraphSONWriter.build().mapper(mapper()).create();
    StarValueConverter held = new StarValueConverter("graphson", true, losses);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target), 1 << 16)) {
      source.stars(
          star -> {
            line.reset();
            writer.writeVertex(line, Stars.star(held.of(star)), Direction.BOTH);
            line.writeTo(out);
            out.write('\n');
            progress.accept(1 + star.out().size());
          });
    }
  }
}
