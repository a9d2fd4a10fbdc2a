package io.bg3.core.tree;

import io.bg3.core.block.PageImage;
import io.bg3.storage.extent.Stream;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;

/**
 * How well the images of a store are compressed, by a sample of its pages.
 *
 * <p>Threads: an object belongs to one.
 */
public final class ImageSizes {
  private final Map<Stream, Long> plain = new EnumMap<>(Stream.class);
  private final Map<Stream, Long> stored = new EnumMap<>(Stream.class);

  private ImageSizes() {}

  /**
   * Reads the images of pages whose ids are spread evenly. Pages that cannot be read are left out:
   * a check reports them.
   *
   * @param most pages to read, 1 or more
   */
  public static ImageSizes sample(TreeSpace space, int most) {
    ImageSizes sizes = new ImageSizes();
    int end = space.table().end();
    int step = Math.max(1, (end + most - 1) / most);
    for (int page = 0; page < end; page += step) {
      space.loader().addSizes(page, sizes);
    }
    return sizes;
  }

  /**
   * Bytes of the sampled images of each stream, divided by what they take in memory. A stream
   * without images is missing.
   */
  public Map<Stream, Double> ratios() {
    Map<Stream, Double> ratios = new EnumMap<>(Stream.class);
    plain.forEach((stream, bytes) -> ratios.put(stream, (double) stored.get(stream) / bytes));
    return ratios;
  }

  void add(Stream stream, ByteBuffer image) {
    plain.merge(stream, PageImage.plainBytes(image), Long::sum);
    stored.merge(stream, (long) image.remaining(), Long::sum);
  }
}
