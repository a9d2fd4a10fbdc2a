package io.bg3.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A cursor over drawn records, and over records with damaged bytes, shows what the list of
 * properties has. A failure prints its seed.
 */
class PropertyCursorTest {
  private static final int ROUNDS = 20_000;
  private static final int FEW = 32;

  private static VertexRecord drawn(Random random, int most) {
    VertexRecord record = new VertexRecord(1 + random.nextInt(300));
    if (random.nextInt(4) == 0) {
      record.addLabel(400);
    }
    int count = random.nextInt(most + 1);
    for (int i = 0; i < count; i++) {
      int number = record.takeNumber();
      Object id = random.nextInt(4) == 0 ? "id" + number : null;
      PropertyRecord property = new PropertyRecord(number, id, cell(random));
      for (int meta = random.nextInt(4) - 1; meta > 0; meta--) {
        property.setMeta(cell(random));
      }
      record.add(property);
    }
    return record;
  }

  private static PropertyCell cell(Random random) {
    int key = 1 + random.nextInt(200);
    if (random.nextInt(6) == 0) {
      return new PropertyCell(key, null, 0, 1100);
    }
    byte[] value = ValueCodec.encode(value(random));
    return new PropertyCell(key, value, 0, value.length);
  }

  private static Object value(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(200) - 100;
      case 1 -> random.nextLong();
      case 2 -> "a\u00fc\u20ac\uD83D\uDE00".substring(0, 1 + random.nextInt(5));
      case 3 -> "x".repeat(random.nextInt(300));
      case 4 -> List.of("a", random.nextInt());
      default -> random.nextDouble();
    };
  }

  private static void assertShows(List<PropertyRecord> properties, PropertyCursor at, String what) {
    for (PropertyRecord property : properties) {
      assertTrue(at.next(), what);
      assertEquals(property.key(), at.key(), what);
      assertEquals(property.number(), at.number(), what);
      assertEquals(property.isLarge(), at.isLarge(), what);
      assertEquals(property.userId(), at.userId(), what);
      if (!at.isLarge()) {
        assertTrue(Objects.deepEquals(property.value(), at.value()), what); // arrays among them
      }
    }
    assertFalse(at.next(), what);
    assertFalse(at.next(), what);
  }

  @Test
  void itShowsEachPropertyOfADrawnRecord() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = drawn(random, 5).encode();
      String what = "seed=" + seed + ", " + HexFormat.of().formatHex(bytes);
      PropertyCursor at = VertexRecord.read(bytes).cursor();
      assertShows(VertexRecord.decode(bytes).properties(), at, what);
    }
  }

  @Test
  void damagedBytesAreCorruptOrShowTheSame() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = ValueCodecTest.damaged(random, drawn(random, 3).encode());
      String what = "seed=" + seed + ", " + HexFormat.of().formatHex(bytes);
      PropertyCursor at;
      try {
        at = VertexRecord.read(bytes).cursor();
        if (at == null) { // says that it has many properties
          continue;
        }
        readAll(at);
      } catch (CorruptionException e) {
        assertTrue(e.getMessage().startsWith("corrupt: "), e.getMessage());
        continue;
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(what, e);
      }
      List<PropertyRecord> properties;
      try {
        properties = VertexRecord.decode(bytes).properties();
      } catch (CorruptionException e) {
        throw new AssertionError(what, e);
      }
      assertShows(properties, VertexRecord.read(bytes).cursor(), what);
    }
  }

  private static void readAll(PropertyCursor at) {
    while (at.next()) {
      at.userId();
      if (!at.isLarge()) {
        at.value();
      }
    }
  }

  @Test
  void thereIsNoneOfARecordThatWasTakenApartOrHasManyProperties() {
    VertexRecord record = new VertexRecord(1);
    assertNull(record.cursor());
    for (int key = 1; key <= FEW; key++) {
      byte[] value = ValueCodec.encode(key);
      record.add(
          new PropertyRecord(
              record.takeNumber(), null, new PropertyCell(key, value, 0, value.length)));
    }
    VertexRecord read = VertexRecord.read(record.encode());
    assertNotNull(read.cursor());
    read.takeNumber();
    assertNull(read.cursor());

    byte[] more = ValueCodec.encode("more");
    record.add(
        new PropertyRecord(record.takeNumber(), null, new PropertyCell(1, more, 0, more.length)));
    assertNull(VertexRecord.read(record.encode()).cursor());
  }
}
