package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.DecodeBuffers;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.block.PageImage;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.storage.codec.Compression;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stores deltas as images of version 4, and expects the blocks that an image without compression
 * holds. A failure prints its seed; repeat it with {@code -Dbg3.seed=…}.
 */
class DeltaImageTest {
  /** The image of {@link #base}, as version 3 with lz4 stores it. */
  private static final String BASE =
      "42473350030001000001000038000000c8000000878bf7d90001000017000000"
          + "20000000aebc86ff98a7478f0000000001800113111110000400005205811800"
          + "8118000110c80703080303508080401818800101808009018007038002000881"
          + "0006050302ca01240110110120030203038002000a01020300000000000000";

  /** The image of {@link #delta}, as version 3 with lz4 stored it before there was version 4. */
  private static final String DELTA_THREE =
      "42473350030001000001000056000000c8000000d3b19fd2000100001a000000"
          + "20000000626b2b1cbc6236c60000000001800117111111f40400000a05811800"
          + "811800011108c807030802020270c585311a5080401818800101808009018007"
          + "0280040008010002050202cc010806020380c0e285e368380100010302010002"
          + "000400000000011011012002020302810602000c74776f666f75720000000000";

  /** The image of {@link #delta}, as version 4 with lz4 stores it. */
  private static final String DELTA =
      "04011904ee840d6e1108020287a0f1c2b1340084c0e285e368000281060274776f666f757217800400080100"
          + "021502cc010816030d3801000113010002";

  private static final int CASES = 30;
  private static final long MILLIS = 1_800_000_000_000L;
  private static final PageFrame FRAME = frame(9);

  private final PageFixture fixture = new PageFixture(1);
  private final LeafFormat edges = LeafFormat.edges(fixture.memory);

  @AfterEach
  void close() {
    fixture.close();
  }

  static Stream<Arguments> kindsAndSeeds() {
    return Stream.of(LeafKind.values())
        .flatMap(kind -> Seeds.of(20).mapToObj(seed -> Arguments.of(kind, seed)));
  }

  @Test
  void theImageIsTheStoredSample() {
    long base = base(FRAME);
    assertEquals(BASE, hex(edges.baseImage(base, way("lz4"))));
    assertEquals(DELTA, hex(edges.deltaImage(delta(base), way("lz4"))));
  }

  @Test
  void theStoredSamplesOfBothVersionsHoldTheSameDelta() {
    Entries expected = edges.merged(delta(base(FRAME)), Horizon.KEEP_ALL);
    for (String sample : new String[] {DELTA_THREE, DELTA}) {
      long loaded = load(BASE, sample);
      edges.check(loaded);
      assertEquals(2, edges.deltaCount(loaded));
      assertSame(expected, edges.merged(loaded, Horizon.KEEP_ALL), sample);
    }
  }

  @ParameterizedTest
  @MethodSource("kindsAndSeeds")
  void theBlocksAreThoseOfAnImageWithoutCompression(LeafKind kind, long seed) {
    try (PageFixture own = new PageFixture(seed)) {
      LeafFormat format = kind.format(own.memory);
      for (int i = 0; i < CASES; i++) {
        long base = randomBase(kind, own);
        long delta = randomDelta(kind, own, base);
        if (delta != base) {
          compare(format, base, delta, own.compressor, Seeds.say(seed) + ", case " + i);
        }
      }
    }
  }

  @Test
  void valuesWithLongEndsComeBack() {
    long base = base(FRAME);
    EdgeEntries entries = new EdgeEntries();
    byte[] large = new byte[70_000];
    new Random(1).nextBytes(large);
    entries.append(2, 1, 102, 0, Op.PUT, MILLIS << 20, large);
    entries.append(3, 1, 103, 0, Op.PUT, MILLIS << 20, new byte[0]);
    long delta = edges.writeDelta(base, entries, 0, 2);
    compare(edges, base, delta, way("packed"), "wide");
  }

  @Test
  void anEdgeTakesFewBytesBesideItsValue() {
    for (int count : new int[] {1, 10}) {
      EdgeEntries entries = new EdgeEntries();
      for (int i = 0; i < count; i++) {
        long stamp = (MILLIS + 311L * i) << 20;
        entries.append(2 + i / 2, 1, 5_000 + 37L * i * i, 0, Op.PUT, stamp, new byte[28]);
      }
      long delta = edges.writeDelta(base(FRAME), entries, 0, count);
      int bytes = hex(edges.deltaImage(delta, way("packed"))).length() / 2;
      assertTrue(bytes <= 36 + count * 34, "count=" + count + ", bytes=" + bytes);
    }
  }

  @Test
  void aBaseOfAnotherPageIsRefused() {
    String other = hex(edges.baseImage(base(frame(10)), way("lz4")));
    CorruptionException found =
        assertThrows(CorruptionException.class, () -> load(other, DELTA_THREE));
    assertTrue(found.getMessage().contains("L10"), found.getMessage());
    found = assertThrows(CorruptionException.class, () -> load(other, DELTA));
    assertTrue(found.getMessage().contains("J3: checksum"), found.getMessage());
  }

  @Test
  void anotherVersionIsRefused() {
    String newer = "05" + DELTA.substring(2);
    CorruptionException found = assertThrows(CorruptionException.class, () -> load(BASE, newer));
    assertEquals(
        "corrupt: file=sample, offset=0, expected=J1: version 4, found=5", found.getMessage());
  }

  @Test
  void everyCutImageIsRefused() {
    for (int length = 0; length < DELTA.length(); length += 2) {
      String cut = DELTA.substring(0, length);
      assertThrows(CorruptionException.class, () -> load(BASE, cut), cut);
    }
  }

  /** The images of a delta, packed and as it is, hold the same blocks. */
  private static void compare(
      LeafFormat format, long base, long delta, Compressor compressor, String message) {
    DecodeBuffers buffers = DecodeBuffers.ofThread();
    ByteBuffer under = LeafSimulation.join(format.baseImage(base, Compressor.none()));
    ByteBuffer block =
        PageImage.load(under, format.kind(), "base", buffers, parts -> {}).topology();
    ByteBuffer image = LeafSimulation.join(format.deltaImage(delta, compressor));
    ByteBuffer plain = LeafSimulation.join(format.deltaImage(delta, Compressor.none()));
    PageImage expected = PageImage.load(plain, format.kind(), "plain", buffers, parts -> {});
    PageImage found =
        PageImage.loadDelta(image, format.kind(), block, "packed", buffers, parts -> {});
    assertEquals(expected.topology(), found.topology(), message);
    assertEquals(expected.properties(), found.properties(), message);
    assertEquals(PageImage.plainBytes(plain), PageImage.plainBytes(image), message);
  }

  private static long randomBase(LeafKind kind, PageFixture own) {
    Entries entries = own.entries(kind, 1 + own.random.nextInt(20));
    entries.dropSettledTombstones(false);
    if (own.random.nextInt(3) == 0) {
      entries.markAllUnstored(); // the delta has settled entries then
    }
    long cut = own.random.nextLong() >>> (1 + own.random.nextInt(62));
    PageFrame frame = PageFixture.WHOLE;
    if (entries.count() > 0 && own.random.nextBoolean()) {
      byte[] high = Arrays.copyOf(entries.key(entries.count() - 1), 40);
      frame = new PageFrame(7, 3, entries.key(0), high, own.random.nextInt() | 1);
    }
    return kind.format(own.memory).writeBase(frame, entries, 0, entries.count(), cut);
  }

  /** A delta of some of the base's keys and, where it has no fences, of others. */
  private static long randomDelta(LeafKind kind, PageFixture own, long base) {
    LeafFormat format = kind.format(own.memory);
    PageFrame frame = new PageHeader(own.memory).wrap(base).frame();
    Entries drawn = own.entries(kind, 1 + own.random.nextInt(own.random.nextInt(5) == 0 ? 90 : 6));
    Entries batch = format.newEntries();
    boolean same = own.random.nextBoolean();
    long first = 2_000 + (own.random.nextLong() >>> (2 + own.random.nextInt(61)));
    for (int i = 0; i < drawn.count(); i++) {
      if (!drawn.followsItsKey(i) && frame.covers(drawn.key(i))) {
        batch.append(drawn, i);
        batch.setStamp(batch.count() - 1, same ? first : first + own.random.nextInt(1 << 24));
      }
    }
    return format.writeDelta(base, batch, 0, batch.count());
  }

  private long base(PageFrame frame) {
    EdgeEntries entries = new EdgeEntries();
    for (int i = 1; i <= 3; i++) {
      entries.append(i, 1, 100 + i, 0, Op.PUT, 0, new byte[] {(byte) i});
    }
    return edges.writeBase(frame, entries, 0, 3, 5L << 20);
  }

  private long delta(long base) {
    EdgeEntries entries = new EdgeEntries();
    entries.append(2, 1, 102, 0, Op.PUT, MILLIS << 20 | 1, bytes("two"));
    entries.append(4, 1, 104, 0, Op.PUT, (MILLIS + 7) << 20, bytes("four"));
    return edges.writeDelta(base, entries, 0, 2);
  }

  private long load(String base, String delta) {
    return edges.load(buffer(base), buffer(delta), 10, Horizon.KEEP_ALL, "sample");
  }

  private static void assertSame(Entries expected, Entries found, String message) {
    assertEquals(expected.count(), found.count(), message);
    for (int i = 0; i < expected.count(); i++) {
      assertEquals(0, expected.compareKeys(i, found, i), message);
      assertEquals(expected.stamp(i), found.stamp(i), message);
      assertEquals(expected.op(i), found.op(i), message);
      assertEquals(
          HexFormat.of().formatHex(expected.value(i)), HexFormat.of().formatHex(found.value(i)));
    }
  }

  private static PageFrame frame(int highOwner) {
    return new PageFrame(7, 3, EdgeKey.encode(1, 1, 0, 0), EdgeKey.encode(highOwner, 1, 0, 0), 8);
  }

  private static Compressor way(String text) {
    return new Compressor(Compression.of(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static ByteBuffer buffer(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static String hex(ByteBuffer[] parts) {
    ByteBuffer joined = LeafSimulation.join(parts);
    byte[] bytes = new byte[joined.remaining()];
    joined.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
