package io.bg3.storage.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The sum is CRC32C, in pieces or at once. */
class ChecksumsTest {
  @Test
  void theSumIsThatOfThePublishedCheckValue() {
    ByteBuffer digits = ByteBuffer.wrap("123456789".getBytes(StandardCharsets.US_ASCII));
    assertEquals(0xe3069283, Checksums.crc32c(digits, 0, 9));
  }

  @Test
  void piecesAddUpToTheBytesTheyAreStoredAs() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(40).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0, 0x01020304).putLong(4, 0x1112131415161718L).put(12, (byte) 9);
    Checksums sum = new Checksums().add(1).reset();
    sum.add(0x01020304).add(0x1112131415161718L).add((byte) 9).add(bytes.position(13).limit(30));
    assertEquals(Checksums.crc32c(bytes, 0, 30), sum.value());
    assertEquals(13, bytes.position());
    assertEquals(30, bytes.limit());
  }
}
