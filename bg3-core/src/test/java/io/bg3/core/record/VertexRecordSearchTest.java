package io.bg3.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A record is gone through for the properties with one key, twice, before it is taken apart: what
 * was taken apart before is given again, so the objects tell.
 */
class VertexRecordSearchTest {
  private static final int KEYS = 500;

  private static VertexRecord wide(int keys) {
    VertexRecord record = new VertexRecord(1);
    for (int key = 1; key <= keys; key++) {
      byte[] value = ValueCodec.encode(key);
      record.add(
          new PropertyRecord(
              record.takeNumber(), null, new PropertyCell(key, value, 0, value.length)));
    }
    return VertexRecord.read(record.encode());
  }

  private static PropertyRecord only(List<PropertyRecord> found) {
    assertEquals(1, found.size());
    return found.get(0);
  }

  @Test
  void manyKeysTakeARecordApartAtMostThreeTimes() {
    for (int keys : new int[] {20, KEYS}) { // searched from first to last, and by an index
      VertexRecord record = wide(keys);
      PropertyRecord first = only(record.withKey(1));
      PropertyRecord second = only(record.withKey(1));
      PropertyRecord third = only(record.withKey(1));
      assertNotSame(first, second);
      assertNotSame(second, third);
      for (int key = 1; key <= keys; key++) {
        PropertyRecord found = only(record.withKey(key));
        assertEquals(key, found.value());
        assertSame(found, only(record.withKey(key)));
        assertSame(found, record.properties().get(key - 1));
      }
      assertSame(third, only(record.withKey(1)));
    }
  }

  @Test
  void oneKeyTakesNoOtherPropertyApart() {
    VertexRecord record = wide(KEYS);
    assertEquals(List.of(), record.withKey(KEYS + 1));
    assertEquals(KEYS, only(record.withKey(KEYS)).value());
    assertEquals(KEYS, record.propertyCount());
  }
}
