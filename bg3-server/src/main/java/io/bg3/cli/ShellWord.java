package io.bg3.cli;

import java.util.regex.Pattern;

/** A word of a command that is printed for people, who may copy it into a shell. */
final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

  private ShellWord() {}

  /** The word, in quotation marks if a shell would read it as something else. */
  static String of(Object word) {
    String text = word.toString();
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
