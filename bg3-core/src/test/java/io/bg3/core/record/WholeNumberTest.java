package io.bg3.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.storage.format.CorruptionException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One property of an edge record, read beside properties of every kind, with an id and without. */
class WholeNumberTest {
  private static final int KEY = 300;
  private static final List<Object> VALUES =
      Arrays.asList(
          0L,
          -1L,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          7,
          Integer.MIN_VALUE,
          (short) -5,
          (byte) 5,
          1.5,
          "text",
          true);

  @Test
  void theNumberIsThatOfTheDecodedRecord() {
    for (Object id : Arrays.asList(null, "edge", 5L)) {
      for (int place = 0; place < 3; place++) {
        for (Object value : VALUES) {
          assertRead(record(id, place, value), value);
        }
        assertRead(record(id, place, null), null);
      }
    }
    assertRead(new byte[0], null);
  }

  private static byte[] record(Object id, int place, Object value) {
    EdgeRecord record = new EdgeRecord(id);
    for (int i = 0; i < 3; i++) {
      if (i != place) {
        set(record, 1 + i, i == 0 ? 12L : "other");
      } else if (value != null) {
        set(record, KEY, value);
      }
    }
    return record.encode();
  }

  private static void set(EdgeRecord record, int key, Object value) {
    byte[] encoded = ValueCodec.encode(value);
    record.set(new PropertyCell(key, encoded, 0, encoded.length));
  }

  private static void assertRead(byte[] record, Object value) {
    WholeNumber number = new WholeNumber(KEY);
    boolean isWhole = value instanceof Long || value instanceof Integer || value instanceof Short;
    assertEquals(
        value == null
            ? WholeNumber.Found.NOTHING
            : isWhole ? WholeNumber.Found.NUMBER : WholeNumber.Found.OTHER,
        number.read(record));
    if (isWhole) {
      assertEquals(((Number) value).longValue(), number.value());
    }
  }

  @Test
  void aRecordThatIsCutIsCorrupt() {
    byte[] record = record("edge", 2, 1L << 40);
    for (int length = 1; length < record.length; length++) {
      byte[] cut = Arrays.copyOf(record, length);
      assertThrows(CorruptionException.class, () -> new WholeNumber(KEY).read(cut));
    }
  }
}
