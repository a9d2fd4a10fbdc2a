package io.bg3.server.guard;

import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/** Stops a parse at the first syntax error, as TinkerPop's own error listener does. */
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
