package io.bg3.server.guard;

import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/** Ends a parse at its first error, as TinkerPop's own does. */
final class FirstError extends BaseErrorListener {
  static final FirstError LISTENER = new FirstError();

  private FirstError() {}

  @Override
  public void syntaxError(
      Recognizer<?, ?> recognizer,
      Object symbol,
      int line,
      int column,
      String message,
      RecognitionException cause) {
    throw new ParseCancellationException("line " + line + ":" + column + " " + message);
  }
}
