package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.PageImage;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damages images at random and loads them. Whatever a disk does to an image must be found by its
 * checksums; whatever else the bytes are, with checksums that match, either loads as a page that is
 * sound or is refused. A failure prints its seed; repeat it with {@code -Dbg3.seed=…}.
 */
class PageImageFuzzTest {
  private static final int DAMAGES = 300;

  /** The first byte of the image of a delta whose columns are packed. */
  private static final int DELTA_VERSION = 4;

  /** An image and how to load it. */
  private interface Loader {
    /** Loads, uses and frees. */
    void load(ByteBuffer image);
  }

  private record Sample(String name, ByteBuffer image, Loader loader) {}

  static LongStream seeds() {
    return Seeds.of(10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyDamageOfAnImageIsFound(long seed) {
    try (PageFixture fixture = new PageFixture(seed)) {
      for (Sample sample : samples(fixture)) {
        for (int i = 0; i < DAMAGES; i++) {
          ByteBuffer damaged = damage(sample.image, fixture.random);
          CorruptionException found =
              assertThrows(
                  CorruptionException.class,
                  () -> sample.loader.load(damaged),
                  () -> "-Dbg3.seed=" + seed + " " + sample.name);
          assertEquals("sample", found.file());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anImageWithMatchingChecksumsIsSoundOrRefused(long seed) {
    try (PageFixture fixture = new PageFixture(seed)) {
      for (Sample sample : samples(fixture)) {
        for (int i = 0; i < DAMAGES; i++) {
          boolean isDelta = sample.image.get(0) == DELTA_VERSION;
          ByteBuffer forged =
              isDelta
                  ? forgeDelta(sample.image, fixture.random)
                  : forge(sample.image, fixture.random);
          try {
            sample.loader.load(forged);
          } catch (CorruptionException e) {
            assertTrue(e.getMessage().contains("sample"), e.getMessage());
          } catch (RuntimeException | Error e) {
            throw new AssertionError("-Dbg3.seed=" + seed + " " + sample.name, e);
          }
        }
      }
    }
  }

  @Test
  void aNewerVersionIsRefused() {
    try (PageFixture fixture = new PageFixture(1)) {
      Sample sample = samples(fixture).get(0);
      ByteBuffer image = copy(sample.image);
      image.putShort(PageImage.VERSION_AT, (short) (PageImage.VERSION + 1));
      seal(image);
      CorruptionException found =
          assertThrows(CorruptionException.class, () -> sample.loader.load(image));
      assertEquals(
          "corrupt: file=sample, offset=4, expected=I1: version 2 or 3, found=4",
          found.getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anImageOfTheVersionBeforeIsRead(long seed) {
    try (PageFixture fixture = new PageFixture(seed)) {
      for (Sample sample : samples(fixture)) {
        if (sample.image.get(0) == DELTA_VERSION) {
          continue; // another layout
        }
        ByteBuffer image = copy(sample.image);
        image.putShort(PageImage.VERSION_AT, (short) 2);
        seal(image);
        boolean coded =
            image.getShort(PageImage.TOPOLOGY) != 0 || image.getShort(PageImage.PROPERTIES) != 0;
        if (coded) { // codecs came with version 3
          assertThrows(CorruptionException.class, () -> sample.loader.load(image));
        } else {
          sample.loader.load(image);
        }
      }
    }
  }

  private static List<Sample> samples(PageFixture fixture) {
    List<Sample> samples = new ArrayList<>();
    for (LeafKind kind : LeafKind.values()) {
      LeafFormat format = kind.format(fixture.memory);
      int most = fixture.random.nextInt(10);
      long base = fixture.base(kind, 1 + fixture.random.nextInt(40));
      Entries batch = fixture.entries(kind, 5);
      batch.stampAll(2000);
      Entries single = format.newEntries();
      for (int i = 0; i < batch.count(); i++) {
        if (!batch.followsItsKey(i)) {
          single.append(batch, i);
        }
      }
      long delta = format.writeDelta(base, single, 0, single.count());
      ByteBuffer baseImage = LeafSimulation.join(format.baseImage(base, fixture.compressor));
      ByteBuffer deltaImage = LeafSimulation.join(format.deltaImage(delta, fixture.compressor));
      samples.add(
          new Sample(
              kind + " base",
              baseImage,
              image -> {
                long loaded = format.load(image, null, most, Horizon.KEEP_ALL, "sample");
                use(kind, format, loaded, fixture.random);
                format.free(loaded);
              }));
      samples.add(
          new Sample(
              kind + " delta",
              deltaImage,
              image -> {
                ByteBuffer under = baseImage.duplicate();
                long loaded = format.load(under, image, most, Horizon.KEEP_ALL, "sample");
                use(kind, format, loaded, fixture.random);
                if (format.base(loaded) != loaded) {
                  format.free(format.base(loaded));
                }
                format.free(loaded);
              }));
    }
    samples.add(inner(fixture));
    return samples;
  }

  private static Sample inner(PageFixture fixture) {
    InnerFormat format = new InnerFormat(fixture.memory);
    List<byte[]> separators = InnerFormatTest.separators(fixture.random, 20);
    int[] children = new int[separators.size() + 1];
    for (int i = 0; i < children.length; i++) {
      children[i] = 100 + i;
    }
    long page = format.write(PageFixture.WHOLE, 1, separators, children);
    return new Sample(
        "inner",
        LeafSimulation.join(format.image(page, fixture.compressor)),
        image -> {
          long loaded = format.load(image, "sample");
          format.check(loaded);
          format.child(loaded, LeafKind.BYTES.key(fixture.random));
          format.free(loaded);
        });
  }

  private static void use(LeafKind kind, LeafFormat format, long block, Random random) {
    format.check(block);
    Entries copied = format.newEntries();
    format.copy(block, kind.bound(random), kind.bound(random), random.nextInt(1000), true, copied);
    format.get(block, kind.key(random), Long.MAX_VALUE, new PageRead());
    Entries merged = format.merged(block, Horizon.at(500));
    format.free(format.writeBase(PageFixture.WHOLE, merged, 0, merged.count(), 500));
  }

  /** Flips bits, cuts the end off, or adds to it. */
  private static ByteBuffer damage(ByteBuffer image, Random random) {
    int length = image.limit();
    int choice = random.nextInt(8);
    if (choice == 0) {
      return copy(image).limit(random.nextInt(length));
    }
    if (choice == 1) {
      ByteBuffer longer = ByteBuffer.allocate(length + 1 + random.nextInt(16));
      return longer.put(image.duplicate()).position(0);
    }
    ByteBuffer flipped = copy(image);
    int header = Math.min(length, PageImage.PARTS);
    int at = random.nextInt(random.nextInt(3) == 0 ? header : length);
    flipped.put(at, (byte) (flipped.get(at) ^ (1 + random.nextInt(255))));
    return flipped;
  }

  /** Changes the header's fields of a part. */
  private static void forgeHeader(ByteBuffer image, Random random) {
    int part = random.nextBoolean() ? PageImage.TOPOLOGY : PageImage.PROPERTIES;
    int length = image.getInt(part + PageImage.PART_LENGTH);
    switch (random.nextInt(3)) {
      case 0 -> image.put(part + PageImage.PART_CODEC, (byte) random.nextInt(4));
      case 1 -> image.put(part + PageImage.PART_PACKING, (byte) random.nextInt(3));
      default -> {
        int[] lengths = {0, -1, length - 1, length + 1, length * 2, 1 << 20, 1 << 30, -length};
        image.putInt(part + PageImage.PART_LENGTH, lengths[random.nextInt(lengths.length)]);
      }
    }
  }

  /** Changes bytes of the parts and makes the checksums match. */
  private static ByteBuffer forge(ByteBuffer image, Random random) {
    ByteBuffer forged = copy(image);
    if (random.nextInt(4) == 0) {
      forgeHeader(forged, random);
    }
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int parts = forged.limit() - PageImage.PARTS;
      int at = PageImage.PARTS + random.nextInt(random.nextBoolean() ? Math.min(96, parts) : parts);
      forgeByte(forged, at, random);
    }
    return seal(forged);
  }

  private static void forgeByte(ByteBuffer forged, int at, Random random) {
    byte value =
        switch (random.nextInt(4)) {
          case 0 -> 0;
          case 1 -> -1;
          case 2 -> (byte) (forged.get(at) + 1);
          default -> (byte) random.nextInt();
        };
    forged.put(at, value);
  }

  /** Changes bytes of a delta's image, most often the first ones, and makes the checksum match. */
  private static ByteBuffer forgeDelta(ByteBuffer image, Random random) {
    ByteBuffer forged = copy(image);
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int most = random.nextBoolean() ? Math.min(24, forged.limit()) : forged.limit();
      int at = random.nextInt(1, most);
      forgeByte(forged, at, random);
    }
    return sealDelta(forged);
  }

  /** Makes the checksum match if there is one: over the page's frame, {@link PageFixture#WHOLE}. */
  private static ByteBuffer sealDelta(ByteBuffer image) {
    int at = 2;
    for (int lengths = 0; lengths < 2 && at < image.limit(); at++) {
      lengths += image.get(at) >= 0 ? 1 : 0;
    }
    int from = at + Integer.BYTES;
    if (from <= image.limit()) {
      Checksums sum = new Checksums().add(7).add(3).add(0).add(-1);
      int checksum = sum.add(image, 0, at).add(image, from, image.limit()).value();
      image.putInt(at, checksum);
    }
    return image;
  }

  private static ByteBuffer seal(ByteBuffer image) {
    int at = PageImage.PARTS;
    for (int part : new int[] {PageImage.TOPOLOGY, PageImage.PROPERTIES}) {
      int stored = image.getInt(part + PageImage.PART_STORED);
      if (stored > 0) {
        image.putInt(part + PageImage.PART_CHECKSUM, Checksums.crc32c(image, at, at + stored));
      }
      at += stored;
    }
    image.putInt(PageImage.CHECKSUM, Checksums.crc32c(image, 0, PageImage.CHECKSUM));
    return image;
  }

  private static ByteBuffer copy(ByteBuffer image) {
    return ByteBuffer.allocate(image.limit())
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(image.duplicate())
        .flip();
  }
}
