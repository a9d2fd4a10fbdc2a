package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of SASL PLAIN, with {@code |} for NUL. */
class SaslPlainTest {
  @Test
  void readsNameAndPassword() {
    for (String text : new String[] {"|ada|p:w", "ada|ada|p:w"}) {
      Credentials plain = SaslPlain.of(bytes(text)).orElseThrow();
      assertEquals("ada", plain.name());
      assertArrayEquals(bytes("p:w"), plain.password());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "|", "ada", "ada|pw", "||pw", "bob|ada|pw", "|ada|p|w"})
  void refusesTheRest(String text) {
    assertTrue(SaslPlain.of(bytes(text)).isEmpty());
  }

  @Test
  void refusesWhatIsLong() {
    assertTrue(SaslPlain.of(bytes("|ada|" + "x".repeat(2_000))).isEmpty());
  }

  private static byte[] bytes(String text) {
    return text.replace('|', '\0').getBytes(StandardCharsets.UTF_8);
  }
}
