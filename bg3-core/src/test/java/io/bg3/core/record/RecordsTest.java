package io.bg3.core.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records of vertices and edges: pinned bytes, round trips, and bytes that nobody wrote. */
class RecordsTest {
  private static final int ROUNDS = 20_000;

  private static VertexRecord vertex() {
    VertexRecord record = new VertexRecord(3, 200);
    PropertyRecord name = property(record, 1, "marko");
    name.setMeta(cell(2, 2009));
    name.setMeta(new PropertyCell(4, null, 0, 5000));
    property(record, 1, "a");
    record.add(new PropertyRecord(record.takeNumber(), "p5", new PropertyCell(5, null, 0, 2000)));
    return record;
  }

  private static PropertyRecord property(VertexRecord record, int key, Object value) {
    PropertyRecord property = new PropertyRecord(record.takeNumber(), null, cell(key, value));
    record.add(property);
    return property;
  }

  private static PropertyCell cell(int key, Object value) {
    byte[] bytes = ValueCodec.encode(value);
    return new PropertyCell(key, bytes, 0, bytes.length);
  }

  private static EdgeRecord edge() {
    EdgeRecord record = new EdgeRecord("e1");
    record.set(cell(7, 0.5));
    record.set(cell(8, true));
    record.set(cell(7, 2));
    return record;
  }

  @Test
  void aVertexRecordHasTheseBytes() {
    assertEquals(
        "01" // version
            + "0203c801" // labels 3 and 200
            + "0403" // next number, properties
            + "010102070b056d61726b6f" // key 1, number 1, with meta-properties, 7 bytes: "marko"
            + "02020003"
            + "05b21f" // meta key 2, 3 bytes: the int 2009
            + "04018827" // meta key 4, large, 5000 bytes
            + "010200030b0161" // key 1, number 2, 3 bytes: "a"
            + "050305d00f" // key 5, number 3, large, with an id, 2000 bytes
            + "040b027035", // the user's id "p5"
        HexFormat.of().formatHex(vertex().encode()));
  }

  @Test
  void aVertexRecordComesBackAsItWas() {
    VertexRecord back = VertexRecord.decode(vertex().encode());
    back.check();
    assertArrayEquals(vertex().encode(), back.encode());
    assertTrue(back.hasLabel(200));
    assertEquals(3, VertexRecord.firstLabel(vertex().encode()));
    assertEquals("marko", back.property(1).value());
    assertEquals(2009, back.property(1).meta(2).value());
    assertTrue(back.property(3).isLarge());
    assertEquals("p5", back.property(3).userId());
    assertNull(back.property(2).userId());
    assertNull(back.property(4));
  }

  @Test
  void anEdgeRecordHasTheseBytes() {
    assertEquals(
        "01"
            + "040b026531" // the user's id "e1"
            + "02"
            + "070205"
            + "04"
            + "080102", // key 7: the int 2, key 8: true
        HexFormat.of().formatHex(edge().encode()));
    assertEquals("01040b02653100", HexFormat.of().formatHex(edge().encodeTopology()));
    assertEquals(0, new EdgeRecord(null).encode().length);
  }

  @Test
  void anEdgeRecordComesBackAsItWas() {
    EdgeRecord back = EdgeRecord.decode(edge().encode());
    assertEquals("e1", back.userId());
    assertEquals(2, back.properties().size());
    assertEquals(2, back.property(7).value());
    assertEquals(0, EdgeRecord.decode(new byte[0]).properties().size());
  }

  @Test
  void anyBytesAreARecordOrCorrupt() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    byte[] vertex = vertex().encode();
    byte[] edge = edge().encode();
    for (int round = 0; round < ROUNDS; round++) {
      byte[] damagedVertex = ValueCodecTest.damaged(random, vertex);
      byte[] damagedEdge = ValueCodecTest.damaged(random, edge);
      try {
        readAll(VertexRecord.decode(damagedVertex));
      } catch (CorruptionException e) {
        assertTrue(e.getMessage().startsWith("corrupt: "), e.getMessage());
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed=" + seed + ", " + Arrays.toString(damagedVertex), e);
      }
      try {
        EdgeRecord.decode(damagedEdge).properties().forEach(PropertyCell::value);
      } catch (CorruptionException e) {
        assertTrue(e.getMessage().startsWith("corrupt: "), e.getMessage());
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed=" + seed + ", " + Arrays.toString(damagedEdge), e);
      }
    }
  }

  private static void readAll(VertexRecord record) {
    record.check();
    for (PropertyRecord property : record.properties()) {
      if (!property.isLarge()) {
        property.value();
      }
    }
  }

  @Test
  void aNewerVersionIsRefused() {
    byte[] bytes = vertex().encode();
    bytes[0] = 2;
    assertThrows(CorruptionException.class, () -> VertexRecord.decode(bytes));
  }
}
