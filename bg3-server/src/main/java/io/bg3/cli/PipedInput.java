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
 * <p>The Gremlin Console takes each input for a person: after an error it asks whether to print the
 * stack trace, reads the answer through a buffer that swallows the lines behind it, and ends with
 * 0. Its question is the one sign of an error that is seen from outside, so this class watches the
 * standard error for it.
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

  /** Takes the place of the standard input, and watches the standard error. */
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

  /** At most one line, so that no buffer takes lines that were not asked for. */
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

  /** None: a reader that sees more would take it into its buffer. */
  @Override
  public int available() {
    return 0;
  }

  /** The standard error, on its way to where it was. */
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
