package io.bg3.server.guard;

import io.bg3.server.dispatch.RunningRequest;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.ParserRuleContext;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinAntlrToJava;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParserException;
import org.apache.tinkerpop.gremlin.language.grammar.VariableResolver.DirectVariableResolver;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * A query text that was validated, with the parse tree that the validator has walked. The thread
 * that validates a text evaluates this tree afterwards: the text is parsed once, within the limits
 * of the validator, and what runs is what was validated.
 *
 * <p>Threads: one.
 */
public final class ValidatedText {
  private final String text;
  private final ParserRuleContext tree;

  ValidatedText(String text, ParserRuleContext tree) {
    this.text = text;
    this.tree = tree;
  }

  /** Keeps it for the request that the calling thread runs, if it runs one. */
  public void keep() {
    RunningRequest.current().ifPresent(running -> running.keep(this));
  }

  /**
   * Takes the text that the calling thread has validated for its request.
   *
   * @param text the one to evaluate
   * @return empty if this object is not the one that was validated: a session evaluates its texts
   *     in a thread of its own
   */
  @SuppressWarnings("ReferenceEquality") // equal texts are parsed alike, but this one was validated
  public static Optional<ValidatedText> take(String text) {
    return RunningRequest.current()
        .map(RunningRequest::takeKept)
        .filter(kept -> kept instanceof ValidatedText validated && validated.text == text)
        .map(ValidatedText.class::cast);
  }

  /**
   * Evaluates the text as TinkerPop's parser does behind its parse.
   *
   * @param variables of the text, by name
   * @return a traversal, or what a terminal step returns
   * @throws GremlinParserException if the text is no query although the grammar allows it
   */
  public Object evaluate(GraphTraversalSource source, Map<String, Object> variables) {
    try {
      return new GremlinAntlrToJava(source, new DirectVariableResolver(variables)).visit(tree);
    } catch (ClassCastException e) { // TinkerPop's visitors find out so
      throw new GremlinParserException("Failed to interpret Gremlin query: " + e.getMessage(), e);
    }
  }
}
