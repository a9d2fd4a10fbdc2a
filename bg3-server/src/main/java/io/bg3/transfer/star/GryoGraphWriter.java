package io.bg3.transfer.star;

import io.bg3.transfer.GraphFileWriter;
import io.bg3.transfer.GraphSource;
import io.bg3.transfer.Losses;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.io.gryo.GryoWriter;

/** Writes a graph as Gryo 3. */
public final class GryoGraphWriter implements GraphFileWriter {
  @Override
  public int passes() {
    return 1;
  }

  @Override
  public void write(GraphSource source, Path target, Losses losses, LongConsumer progress)
      throws IOException {
    GryoWriter writer = GryoWriter.build().create();
    StarValueConverter held = new StarValueConverter("gryo", false, losses);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target), 1 << 16)) {
      source.stars(
          star -> {
            writer.writeVertex(out, Stars.star(held.of(star)), Direction.BOTH);
            progress.accept(1 + star.out().size());
          });
    }
  }
}
