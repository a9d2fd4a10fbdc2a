package io.bg3.bench.report;

import java.util.Locale;

/** The little of JSON that lines of figures need. */
final class Json {
  private Json() {}

  static String text(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** A number; null if it is none that JSON knows. */
  static String number(double number) {
    if (!Double.isFinite(number)) {
      return "null";
    }
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }
}
