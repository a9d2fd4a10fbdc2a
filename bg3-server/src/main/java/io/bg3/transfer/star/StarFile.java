package io.bg3.transfer.star;

import io.bg3.transfer.Elements;
import io.bg3.transfer.FilePosition;
import io.bg3.transfer.GraphFile;
import io.bg3.transfer.RowSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/**
 * A file of vertices with their edges, read once for the vertices and once for the edges. Most such
 * files hold an edge twice, at its source and at its target. The reader uses the incoming edges, or
 * the outgoing ones if the file has more of them.
 */
abstract class StarFile implements GraphFile {
  private final Path path;
  private long entering;
  private long leaving;

  StarFile(Path path) {
    this.path = path;
  }

  /** Receives the vertices of a file. */
  interface StarVisitor {
    void visit(Vertex star, FilePosition place) throws IOException;
  }

  /** Receives the vertices that cannot be decoded. */
  interface BadStars {
    void bad(FilePosition place, String reason) throws IOException;
  }

  /** Passes all vertices that can be decoded to the visitor. */
  abstract void stars(BadStars badStars, LongConsumer progress, StarVisitor visitor)
      throws IOException;

  @Override
  public final Path path() {
    return path;
  }

  @Override
  public final int passes() {
    return 2;
  }

  @Override
  public final void vertices(RowSink sink, LongConsumer progress) throws IOException {
    entering = 0;
    leaving = 0;
    stars(
        sink::bad,
        progress,
        (star, place) -> {
          entering += IteratorUtils.count(star.edges(Direction.IN));
          leaving += IteratorUtils.count(star.edges(Direction.OUT));
          sink.vertex(Elements.of(star), place);
        });
  }

  @Override
  public final void edges(RowSink sink, LongConsumer progress) throws IOException {
    Direction direction = leaving > entering ? Direction.OUT : Direction.IN;
    stars(
        (place, reason) -> {}, // reported in the first pass
        progress,
        (star, place) -> {
          Iterator<Edge> edges = star.edges(direction);
          while (edges.hasNext()) {
            sink.edge(Elements.of(edges.next()), place);
          }
        });
  }
}
