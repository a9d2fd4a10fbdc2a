package io.bg3.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing that a client sends may begin a line of a log. */
class PrintableTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "g.V('ü')|g.V('ü')",
        "~a\nlogin user~|a\\u000alogin user",
        "~a\r\u2028\u202e~|a\\u000d\\u2028\\u202e",
        "~a\u00a0\u3164\ufe0f\u2800~|a\\u00a0\\u3164\\ufe0f\\u2800",
        "~a\u001b[2Jb~|a\\u001b[2Jb",
        "say \"x\" \\|say \\\"x\\\" \\\\",
        "0123456789abcdefghijk|0123456789abcdefghij... 1 more characters",
      })
  void escapes(String text, String printable) {
    assertEquals(printable, Printable.of(text, 20));
  }
}
