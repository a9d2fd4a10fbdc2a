package io.bg3.server.log;

/**
 * Text from a client as it may stand in a line of a log: no line breaks, no control characters, no
 * invisible ones, and no longer than the reader's patience.
 */
public final class Printable {
  private static final int ESCAPE_LENGTH = 6;

  private Printable() {}

  /**
   * Escapes a text.
   *
   * @param limit characters of it at most; a longer one ends in how many were left out
   */
  public static String of(String text, int limit) {
    return escaped(text, limit, true);
  }

  /** Escapes a text that does not stand in quotes, so that quotes in it need no escape. */
  public static String unquoted(String text, int limit) {
    return escaped(text, limit, false);
  }

  /**
   * Escapes a text that does not stand in quotes.
   *
   * @param length characters of the result at most, with all escapes
   */
  static String cut(String text, int length) {
    String printable = unquoted(text, Math.max(0, length));
    if (printable.length() <= length) {
      return printable;
    }
    String more = "... " + text.length() + " characters in all";
    int end = Math.max(0, length - more.length());
    int escape = printable.lastIndexOf("\\u", end - 1);
    if (escape >= 0 && escape + ESCAPE_LENGTH > end) { // do not end within an escape
      end = escape;
    }
    return printable.substring(0, end) + more.substring(0, Math.min(more.length(), length - end));
  }

  private static String escaped(String text, int limit, boolean quoted) {
    int end = Math.min(limit, text.length());
    StringBuilder printable = new StringBuilder(end + 16);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (quoted && (c == '"' || c == '\\')) {
        printable.append('\\').append(c);
      } else if (isPlain(c)) {
        printable.append(c);
      } else {
        escape(c, printable);
      }
    }
    if (end < text.length()) {
      printable.append("... ").append(text.length() - end).append(" more characters");
    }
    return printable.toString();
  }

  /**
   * By hand, since a formatter takes a hundred times as long, and clients choose the characters.
   */
  private static void escape(char c, StringBuilder printable) {
    printable.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      printable.append(Character.forDigit(c >>> shift & 15, 16));
    }
  }

  /** Marks, letters and signs that show nothing, or blank. */
  private static boolean isInvisible(char c) {
    return switch (c) {
      case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u2800', '\u3164', '\uffa0' -> true;
      default -> (c >= '\u180b' && c <= '\u180f') || (c >= '\ufe00' && c <= '\ufe0f');
    };
  }

  private static boolean isPlain(char c) {
    if (c == ' ') {
      return true;
    }
    return !isInvisible(c) && isOfPlainType(c);
  }

  private static boolean isOfPlainType(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
