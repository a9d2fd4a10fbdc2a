package io.bg3.cli;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The standard input of a console that reads its lines from a pipe or a file. It ends the process
 * with exit code 1 after the first line that fails.
 *
 * <p>The Gremlin Console treats every input as interactive: after an error it asks whether to print
 * the stack trace, reads the answer through a buffer that consumes the following lines, and exits
 * with 0. The question is the only sign of an error that is visible from outside, so this class
 * watches the standard error for it.
 */
final class PipedInput extends FilterInputStream {
  private static final String QUESTION = "Display stack trace?";

  private final PrintStream err;
  private int line;
  private boolean lineEnded = true;
  private volatile boolean failed;

  private PipedInput(InputStream in, PrintStream err) {
    super(in);
    this.err = err;
  }

  /** Replaces the standard input, and watches the standard error. */
  static void install() {
    PrintStream err = System.err;
    PipedInput input = new PipedInput(System.in, err);
    System.setIn(input);
    System.setErr(new PrintStream(input.new Watched(err), true, StandardCharsets.UTF_8));
  }

  @Override
  public int read() throws IOException {
    if (failed) {
      err.println();
      err.println("bg3: the console ended at an error: line=" + line);
      err.flush();
      System.exit(1);
    }
    int b = super.read();
    if (b >= 0 && lineEnded) {
      line++;
    }
    lineEnded = b == '\n';
    return b;
  }

  /** Returns at most one line, so that no buffer consumes further lines. */
  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    int count = 0;
    while (count < length) {
      int b = read();
      if (b < 0) {
        break;
      }
      to[offset + count++] = (byte) b;
      if (b == '\n') {
        break;
      }
    }
    return count == 0 && length > 0 ? -1 : count;
  }

  /** Returns 0, because a reader would consume available bytes into its buffer. */
  @Override
  public int available() {
    return 0;
  }

  /** Passes the standard error on and watches it. */
  private final class Watched extends FilterOutputStream {
    private int matched;

    Watched(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      if (b == QUESTION.charAt(matched)) {
        matched++;
      } else {
        matched = b == QUESTION.charAt(0) ? 1 : 0;
      }
      if (matched == QUESTION.length()) {
        failed = true;
        matched = 0;
      }
    }
  }
}
