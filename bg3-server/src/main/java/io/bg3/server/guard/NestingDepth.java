package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;

/** Limits the nesting of brackets in a query text before the parser sees it. */
final class NestingDepth {
  private NestingDepth() {}

  /**
   * Passes a text whose brackets, outside of strings and comments, are nested at most {@code limit}
   * deep. Reads each character once; does not check that brackets match.
   */
  static void validate(String text, int limit) throws Refusal {
    int depth = 0;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        if (c == '\\') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '/' && text.startsWith("//", i)) { // skips to the end of the line
        while (i + 1 < text.length() && "\r\n".indexOf(text.charAt(i + 1)) < 0) {
          i++;
        }
      } else if (c == '(' || c == '[' || c == '{') {
        if (++depth > limit) {
          throw Refusal.forbidden("text is nested too deeply: limit=" + limit);
        }
      } else if (c == ')' || c == ']' || c == '}') {
        depth = Math.max(0, depth - 1);
      }
    }
  }
}
