package io.bg3.storage.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The 64 bytes: what they are, what is refused, and by which name. */
class FileHeaderTest {
  private static final FileKind KIND = new FileKind("sample", 2, 4);
  private static final FileHeader HEADER = new FileHeader(KIND, 0x1122334455667788L, 99);

  /** Version 4 of kind sample, as it must be read for ever. */
  private static final String STORED =
      "42473300"
          + "73616d706c65000000000000"
          + "04000000"
          + "00000000"
          + "8877665544332211"
          + "6300000000000000"
          + "00".repeat(20);

  @Test
  void theLayoutIsTheDocumentedOne() {
    assertEquals(
        "0 4 16 24 32 60 64",
        FileHeader.MAGIC
            + " "
            + FileHeader.KIND
            + " "
            + FileHeader.VERSION
            + " "
            + FileHeader.STORE
            + " "
            + FileHeader.NUMBER
            + " "
            + FileHeader.CHECKSUM
            + " "
            + FileHeader.BYTES);
    String hex = HexFormat.of().formatHex(HEADER.encode().array());
    assertEquals(STORED, hex.substring(0, 120));
  }

  @Test
  void whatWasEncodedIsDecodedAtAnyPosition() {
    ByteBuffer bytes = ByteBuffer.allocate(200);
    HEADER.encode(bytes, 70);
    assertEquals(HEADER, FileHeader.decode(bytes.position(70), KIND, "f"));
    assertEquals(70, bytes.position());
    assertEquals(HEADER, HEADER.expect(HEADER.store(), 99, "f"));
  }

  @Test
  void versionsThatTheReaderDoesNotKnowAreRefusedByName() {
    for (int version = 1; version <= 6; version++) {
      ByteBuffer bytes = new FileHeader(KIND, version, 1, 1).encode();
      if (version < 2) {
        FormatTooOldException old =
            assertThrows(
                FormatTooOldException.class, () -> FileHeader.decode(bytes, KIND, "the file"));
        assertEquals(
            "format older than this program: file=the file, found=1, oldest=2", old.getMessage());
      } else if (version > 4) {
        FormatTooNewException fresh =
            assertThrows(
                FormatTooNewException.class, () -> FileHeader.decode(bytes, KIND, "the file"));
        assertTrue(fresh.getMessage().contains("file=the file, found=" + version + ", newest=4"));
      } else {
        assertEquals(version, FileHeader.decode(bytes, KIND, "f").version());
      }
    }
  }

  @Test
  void everyFlippedBitIsDamageAndNeverAnotherVersion() {
    byte[] valid = HEADER.encode().array();
    for (int bit = 0; bit < 8 * FileHeader.BYTES; bit++) {
      byte[] bytes = valid.clone();
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThrows(
          CorruptionException.class, () -> FileHeader.decode(ByteBuffer.wrap(bytes), KIND, "f"));
    }
  }

  @Test
  void shortFilesAndGarbageAreDamage() {
    byte[] valid = HEADER.encode().array();
    Random random = new Random(4);
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = Arrays.copyOf(valid, random.nextInt(100));
      if (bytes.length >= FileHeader.BYTES) {
        random.nextBytes(bytes);
      }
      assertThrows(
          CorruptionException.class, () -> FileHeader.decode(ByteBuffer.wrap(bytes), KIND, "f"));
    }
  }

  @Test
  void anotherKindAnotherStoreAndAnotherNumberAreDamage() {
    FileKind other = new FileKind("other", 1, 1);
    CorruptionException kind =
        assertThrows(
            CorruptionException.class, () -> FileHeader.decode(HEADER.encode(), other, "f"));
    assertTrue(kind.getMessage().contains("H4: kind other"), kind.getMessage());
    assertThrows(CorruptionException.class, () -> HEADER.expect(1, 99, "f"));
    assertThrows(CorruptionException.class, () -> HEADER.expect(HEADER.store(), 98, "f"));
  }

  @Test
  void aKindNeedsANameThatFitsAndVersionsInOrder() {
    assertThrows(IllegalArgumentException.class, () -> new FileKind("", 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new FileKind("thirteenchars", 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new FileKind("log", 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new FileKind("log", 2, 1));
  }
}
