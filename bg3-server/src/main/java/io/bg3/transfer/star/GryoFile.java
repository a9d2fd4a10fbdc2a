package io.bg3.transfer.star;

import io.bg3.transfer.CountedInput;
import io.bg3.transfer.FilePosition;
import io.bg3.transfer.TransferException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.io.gryo.GryoReader;

/**
 * A Gryo file. The reader ends at a vertex that it cannot decode, because the position of the next
 * one is unknown.
 */
public final class GryoFile extends StarFile {
  private static final String MAGIC = "gio";

  /** Creates a file with this path. */
  public GryoFile(Path path) {
    super(path);
  }

  @Override
  public void check() throws IOException {
    try (InputStream in = CountedInput.open(path(), count -> {})) {
      String magic = new String(in.readNBytes(MAGIC.length()), StandardCharsets.US_ASCII);
      if (!magic.isEmpty() && !magic.equals(MAGIC)) {
        throw new TransferException("not Gryo: file=" + path() + ", expected=" + MAGIC);
      }
    }
  }

  @Override
  void stars(BadStars badStars, LongConsumer progress, StarVisitor visitor) throws IOException {
    GryoReader reader = GryoReader.build().mapper(new ValuesOnlyMapper()).create();
    long number = 0;
    try (InputStream in = new BufferedInputStream(CountedInput.open(path(), progress), 1 << 16)) {
      Iterator<Vertex> stars = reader.readVertices(in, attachable -> attachable.get(), null, null);
      while (hasNext(stars, number)) {
        FilePosition place = new FilePosition(path(), "vertex", ++number);
        visitor.visit(next(stars, place), place);
      }
    }
  }

  private boolean hasNext(Iterator<Vertex> stars, long number) throws TransferException {
    try {
      return stars.hasNext();
    } catch (RuntimeException e) {
      throw broken(new FilePosition(path(), "vertex", number + 1), e);
    }
  }

  private static Vertex next(Iterator<Vertex> stars, FilePosition place) throws TransferException {
    try {
      return stars.next();
    } catch (RuntimeException e) {
      throw broken(place, e);
    }
  }

  private static TransferException broken(FilePosition place, RuntimeException e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return new TransferException(place + ": cannot be parsed further: " + message, e);
  }
}
