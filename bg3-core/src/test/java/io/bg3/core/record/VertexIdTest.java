package io.bg3.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The forms in which ids come, and the one that each of them has. */
class VertexIdTest {
  @Test
  void integersOfAnyClassAreLongs() {
    for (Object one : List.of((byte) 1, (short) 1, 1, 1L, BigInteger.ONE, "1")) {
      assertEquals(1L, VertexId.canonical(one));
    }
    assertEquals(Long.MIN_VALUE, VertexId.canonical(Long.toString(Long.MIN_VALUE)));
    assertEquals(-4L, VertexId.canonical("-4"));
    for (String digits = "9"; digits.length() < 20; digits = digits + digits.length()) {
      boolean fits = new BigInteger(digits).bitLength() < Long.SIZE;
      Object expected = fits ? (Object) Long.parseLong(digits) : digits;
      assertEquals(expected, VertexId.canonical(digits));
      assertEquals(expected, VertexId.sought(digits));
    }
    assertEquals(0L, VertexId.canonical("0"));
  }

  @Test
  void textThatIsNoCanonicalNumberIsText() {
    for (String text :
        List.of(
            "01",
            "00",
            "1:",
            "/1",
            "\u0661",
            "+1",
            "1.0",
            "-0",
            " 1",
            "1 ",
            "9223372036854775808",
            "-",
            "a")) {
      assertEquals(text, VertexId.canonical(text));
    }
  }

  @Test
  void textOfAUuidIsTheUuid() {
    UUID uuid = new UUID(0x123456789abcdef0L, 0x8fedcba987654321L);
    assertEquals(uuid, VertexId.canonical(uuid));
    assertEquals(uuid, VertexId.canonical(uuid.toString()));
    assertEquals(uuid, VertexId.canonical(uuid.toString().toUpperCase(Locale.ROOT)));
    String loose = "1-2-3-4-5";
    assertEquals(loose, VertexId.canonical(loose));
  }

  @Test
  void wholeNumbersOfAnyKindFindLongs() {
    for (Object one : List.of(1f, 1d, new BigDecimal("1.00"), BigInteger.ONE, "1", 1)) {
      assertEquals(1L, VertexId.sought(one));
    }
    for (Object none :
        List.of(1.5, Double.NaN, 1e30, BigInteger.ONE.shiftLeft(64), new Object(), "")) {
      assertNull(VertexId.sought(none));
    }
  }

  @Test
  void refusesWhatCannotBeAnId() {
    for (Object bad :
        List.of(1.0, 'a', true, "", "x".repeat(1025), "\uD800", BigInteger.ONE.shiftLeft(64))) {
      assertThrows(IllegalArgumentException.class, () -> VertexId.canonical(bad));
      assertFalse(VertexId.allows(bad));
    }
    assertThrows(IllegalArgumentException.class, () -> VertexId.canonical(null));
  }

  @Test
  void theReservedRangeIsNotForUsers() {
    assertTrue(VertexId.allows(VertexId.RESERVED_END));
    assertFalse(VertexId.allows(VertexId.RESERVED_END - 1));
    assertFalse(VertexId.allows(Long.toString(Long.MIN_VALUE)));
    assertTrue(VertexId.isReserved(VertexId.reserved(0)));
    assertEquals(7, VertexId.reservedNumber(VertexId.reserved(7)));
  }
}
