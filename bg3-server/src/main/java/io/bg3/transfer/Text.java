package io.bg3.transfer;

import java.nio.charset.StandardCharsets;

/** Checks and repairs text that is to be written as UTF-8. */
public final class Text {
  private Text() {}

  /** Whether every surrogate is part of a pair. */
  public static boolean isWellFormed(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }

  /** The text with a question mark in place of each unpaired surrogate. */
  public static String repaired(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
