package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.SpaceWrites;
import io.bg3.core.keyspace.Write;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.limit.Limit;
import io.bg3.core.limit.LimitExceededException;
import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Encodes and decodes random commits, and gives the decoder damaged ones: it may refuse them, and
 * nothing else.
 */
class CommitRecordTest {
  static java.util.stream.LongStream seeds() {
    return Seeds.of(20);
  }

  static WriteSet writes(Random random) {
    WriteSet writes = new WriteSet();
    for (int i = random.nextInt(20); i >= 0; i--) {
      byte[] value = random.nextInt(4) == 0 ? null : new byte[random.nextInt(300)];
      if (value != null) {
        random.nextBytes(value);
      }
      if (random.nextBoolean()) {
        writes.add(KeySpace.EDGES, edge(random), value);
      } else {
        byte[] key = new byte[random.nextInt(random.nextInt(10) == 0 ? 200 : 30)];
        random.nextBytes(key);
        Arrays.fill(key, 0, random.nextInt(key.length + 1), (byte) 7);
        Arrays.fill(key, random.nextInt(key.length + 1), key.length, (byte) 0);
        writes.add(random.nextBoolean() ? TreeIds.VERTICES : TreeIds.EXTERNAL_IDS, key, value);
      }
    }
    return writes;
  }

  /** The content of a record. */
  private static final class Decoded implements CommitRecord.Reader {
    final TotalIncrements increments = new TotalIncrements();
    final WriteSet writes = new WriteSet();
    long stamp;

    static Decoded of(ByteBuffer payload) {
      Decoded decoded = new Decoded();
      try {
        CommitRecord.read(payload, decoded);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      return decoded;
    }

    @Override
    public void stamp(long found) {
      stamp = found;
    }

    @Override
    public void total(int counter, long amount) {
      increments.add(counter, amount);
    }

    @Override
    public void write(int space, byte[] key, byte[] value) {
      writes.add(space, key, value);
    }
  }

  private static byte[] edge(Random random) {
    long owner = random.nextBoolean() ? random.nextInt(3) : random.nextLong();
    int tagLabel = random.nextBoolean() ? random.nextInt(3) << 30 | 1 : random.nextInt();
    return EdgeKey.tag(tagLabel) == EdgeKey.INDEX
        ? EdgeKey.encode(owner, tagLabel, random.nextInt(9), random.nextLong(), random.nextInt(4))
        : EdgeKey.encode(owner, tagLabel, random.nextInt(99), random.nextInt(4));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsDecodedIsWhatWasEncoded(long seed) {
    Random random = new Random(seed);
    WriteSet writes = writes(random);
    TotalIncrements increments = random.nextBoolean() ? new TotalIncrements() : null;
    for (int i = increments == null ? 0 : 1 + random.nextInt(5); i > 0; i--) {
      increments.add(random.nextInt(10), random.nextLong());
    }
    ByteBuffer record = CommitRecord.encode(writes, increments);
    assertEquals(record.remaining(), CommitRecord.size(writes, increments), Seeds.say(seed));
    CommitRecord.setStamp(record, 123_456_789_012L);
    Decoded decoded = Decoded.of(record);
    assertEquals(123_456_789_012L, decoded.stamp);
    assertEquals(increments == null ? 0 : increments.count(), decoded.increments.count());
    for (int i = 0; increments != null && i < increments.count(); i++) {
      assertEquals(increments.counter(i), decoded.increments.counter(i), Seeds.say(seed));
      assertEquals(increments.amount(i), decoded.increments.amount(i), Seeds.say(seed));
    }
    assertSameWrites(writes, decoded.writes, seed);
  }

  private static void assertSameWrites(WriteSet expected, WriteSet found, long seed) {
    assertEquals(expected.spaces().size(), found.spaces().size(), Seeds.say(seed));
    for (int i = 0; i < expected.spaces().size(); i++) {
      SpaceWrites space = expected.spaces().get(i);
      assertEquals(space.space, found.spaces().get(i).space, Seeds.say(seed));
      assertEquals(space.count(), found.spaces().get(i).count(), Seeds.say(seed));
      for (int j = 0; j < space.count(); j++) {
        Write write = space.at(j);
        Write same = found.spaces().get(i).at(j);
        assertArrayEquals(write.key, same.key, Seeds.say(seed));
        assertArrayEquals(write.value, same.value, Seeds.say(seed));
      }
    }
  }

  @Test
  void aLargeRecordGetsABufferOfItsSizeAndIsDecodedToo() {
    WriteSet writes = new WriteSet();
    int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, 1);
    int edges = CommitRecord.MEASURED_FROM / EdgeKey.LENGTH;
    for (int i = 0; i < edges; i++) {
      writes.add(KeySpace.EDGES, EdgeKey.encode(i / 100, tagLabel, i, 0), new byte[i % 3]);
    }
    ByteBuffer record = CommitRecord.encode(writes, null);
    assertEquals(record.remaining(), record.capacity());
    assertTrue(record.remaining() < edges * EdgeKey.LENGTH / 2, record.toString());
    assertSameWrites(writes, Decoded.of(record).writes, 0);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void damagedRecordsAreRefusedOrDecodeToOtherRecords(long seed) {
    Random random = new Random(seed);
    ByteBuffer record = CommitRecord.encode(writes(random), null);
    byte[] good = bytes(record);
    for (int i = 0; i < 5_000; i++) {
      byte[] bad =
          random.nextInt(4) == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
      for (int flips = random.nextInt(3); flips >= 0 && bad.length > 0; flips--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        Decoded.of(ByteBuffer.wrap(bad));
      } catch (CorruptionException e) {
        assertTrue(e.offset() >= 0, Seeds.say(seed));
      }
    }
  }

  private static byte[] bytes(ByteBuffer record) {
    byte[] bytes = new byte[record.remaining()];
    record.duplicate().get(bytes);
    return bytes;
  }

  @Test
  void theLayoutIsTheOneOfTheComment() {
    assertEquals("0 1 9", CommitRecord.KIND + " " + CommitRecord.STAMP + " " + CommitRecord.BODY);
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, new byte[] {'k'}, new byte[] {'v', 'w'});
    TotalIncrements increments = new TotalIncrements();
    increments.add(5, -1);
    ByteBuffer record = CommitRecord.encode(writes, increments);
    CommitRecord.setStamp(record, 2);
    byte[] expected = {2, 2, 0, 0, 0, 0, 0, 0, 0, 1, 5, 1, 1, 7, 1, 0, 1, 'k', 2, 'v', 'w'};
    assertArrayEquals(expected, bytes(record));
  }

  /** Three entries of edges. */
  private static WriteSet threeEdges() {
    WriteSet writes = new WriteSet();
    int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, 5);
    writes.add(KeySpace.EDGES, EdgeKey.encode(1, tagLabel, 2, 0), new byte[0]);
    writes.add(KeySpace.EDGES, EdgeKey.encode(1, tagLabel, 3, 0), null);
    writes.add(KeySpace.EDGES, EdgeKey.encode(1, tagLabel, 3, 1), null);
    return writes;
  }

  @Test
  void whatAKeyHasInCommonWithTheOneBeforeIsLeftOutAndSoIsASequenceOfZero() {
    byte[] expected = {
      2,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      1,
      0,
      3,
      (byte) (63 << 2),
      (byte) (1 << 7),
      1 << 3,
      1 << 3,
      1,
      5,
      2,
      0,
      19 << 2 | 2 | 1,
      3,
      23 << 2 | 1,
      1
    };
    assertArrayEquals(expected, bytes(CommitRecord.encode(threeEdges(), null)));
  }

  @Test
  void aRecordOfTheVersionBeforeIsRead() {
    byte[] record = {
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      1,
      0,
      3,
      2,
      -128,
      0,
      0,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      5,
      -128,
      0,
      0,
      0,
      0,
      0,
      0,
      2,
      0,
      19 << 2 | 2 | 1,
      3,
      23 << 2 | 1,
      1
    };
    assertSameWrites(threeEdges(), Decoded.of(ByteBuffer.wrap(record)).writes, 0);
  }

  @Test
  void bothEntriesOfAnEdgeTakeTheBytesThatDiffer() {
    WriteSet writes = new WriteSet();
    long source = 1_000_000;
    long target = 2_000_000;
    writes.add(
        KeySpace.EDGES, EdgeKey.encode(source, EdgeKey.tagLabel(EdgeKey.OUT, 1), target, 0), null);
    writes.add(
        KeySpace.EDGES, EdgeKey.encode(target, EdgeKey.tagLabel(EdgeKey.IN, 1), source, 0), null);
    int before = CommitRecord.BODY + 4; // totals, spaces, space, entries
    int keys = 2 * (1 + KeyDifference.MASK_BYTES) + 3 + 3 + 3 + 1 + 3;
    assertEquals(before + keys, CommitRecord.encode(writes, null).remaining());
    assertSameWrites(writes, Decoded.of(CommitRecord.encode(writes, null)).writes, 0);
  }

  @Test
  void aDifferenceOfOtherKeysIsDamage() {
    byte[] record = {2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 7, 1, (byte) (63 << 2 | 1), 0, 0, 0};
    CorruptionException e =
        assertThrows(CorruptionException.class, () -> Decoded.of(ByteBuffer.wrap(record)));
    assertEquals("C1: a difference of edges", e.expected());
  }

  @Test
  void moreInCommonThanTheKeyBeforeHasIsDamage() {
    byte[] record = {1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 7, 2, 1, 1, 'k', 2 << 2 | 1, 3, 'l'};
    CorruptionException e =
        assertThrows(CorruptionException.class, () -> Decoded.of(ByteBuffer.wrap(record)));
    assertEquals("C1: at most 1 bytes in common", e.expected());
    record[16] = 1 << 2 | 1;
    record[17] = 0; // a key shorter than what it leaves out
    assertThrows(CorruptionException.class, () -> Decoded.of(ByteBuffer.wrap(record)));
  }

  @Test
  void keysThatDoNotAscendAreDamage() {
    byte[] twice = {1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 7, 2, 1, 1, 'k', 1, 1, 'k'};
    CorruptionException e =
        assertThrows(CorruptionException.class, () -> Decoded.of(ByteBuffer.wrap(twice)));
    assertTrue(e.getMessage().contains("C3"), e.getMessage());
  }

  @Test
  void aLengthIsNotTrustedBeforeThereAreAsManyBytes() {
    byte[] huge = {1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 7, 1, 0, 1, 'k', -1, -1, -1, -1, 7, 'v'};
    CorruptionException e =
        assertThrows(CorruptionException.class, () -> Decoded.of(ByteBuffer.wrap(huge)));
    assertEquals("C1: 2147483647 bytes", e.expected());
  }

  @Test
  void aCommitThatIsLargerThanALogRecordMayBeIsRefusedBeforeItIsEncoded() {
    byte[] value = new byte[64 << 20];
    WriteSet writes = new WriteSet();
    for (int i = 0; i < 8; i++) {
      writes.add(TreeIds.META, new byte[] {(byte) i}, value);
    }
    LimitExceededException e =
        assertThrows(LimitExceededException.class, () -> CommitRecord.encode(writes, null));
    assertSame(Limit.COMMIT_BYTES, e.limit());
    assertEquals(CommitRecord.size(writes, null), e.given());
  }

  @Test
  void aCommitHasAsManyEntriesAsTheLimitSaysAndNoMore() {
    int most = (int) Limit.COMMIT_ENTRIES.most();
    WriteSet writes = new WriteSet();
    Write one = new Write(new byte[] {1}, null, 1); // what counts is how many there are
    writes.addAll(TreeIds.META, Collections.nCopies(most, one));
    assertTrue(CommitRecord.encode(writes, null).remaining() > most);
    writes.add(TreeIds.VERTICES, new byte[] {1}, null);
    LimitExceededException e =
        assertThrows(LimitExceededException.class, () -> CommitRecord.encode(writes, null));
    assertSame(Limit.COMMIT_ENTRIES, e.limit());
    assertEquals(most + 1, e.given());
  }

  @Test
  void whatPagesCannotHoldIsNotEncodedWhoeverWroteIt() {
    for (byte[] key : List.of(new byte[4_097], new byte[70_000])) {
      WriteSet writes = new WriteSet();
      writes.add(TreeIds.META, key, new byte[0]);
      LimitExceededException e =
          assertThrows(LimitExceededException.class, () -> CommitRecord.encode(writes, null));
      assertSame(Limit.KEY_BYTES, e.limit());
    }
    WriteSet edge = new WriteSet();
    byte[] withoutSortKey = new byte[EdgeKey.LENGTH];
    withoutSortKey[EdgeKey.TAG_LABEL] = (byte) (EdgeKey.INDEX << 6);
    edge.add(KeySpace.EDGES, withoutSortKey, new byte[0]);
    assertThrows(IllegalArgumentException.class, () -> CommitRecord.encode(edge, null));
  }
}
