package io.bg3.server.guard;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.atn.ParserATNSimulator;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.dfa.DFA;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.antlr.v4.runtime.tree.ParseTree;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptChecker;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;

/**
 * Judges a text by its parse tree. TinkerPop's own way from a text to a traversal cannot be asked:
 * it executes terminal steps while it parses.
 *
 * <p>The grammar names the rules of what a query does after the step, {@code traversalMethod_out},
 * so the name of a rule says what to look up in the {@link AllowList}; all other rules are values.
 *
 * <p>Before the grammar sees it, a text is held to a length and its brackets to a depth: what ANTLR
 * does with deep nesting takes time without end and looks at no interrupt. While it parses, the
 * tokens it looks at are counted, so that no other shape of text keeps it busy either.
 */
final class TextJudge {
  private static final String STEP = "traversalMethod_";
  private static final String SPAWN = "traversalSourceSpawnMethod_";
  private static final String SOURCE = "traversalSourceSelfMethod_";
  private static final String TERMINAL = "traversalTerminalMethod_";

  /** States of the parser's automata that are kept, of a kilobyte each or so. */
  private static final int LEARNED = 50_000;

  private final Tally tally;
  private final Limits limits;
  private String service = ""; // that was called last
  private int parametersEnd = -1; // the token at which those end that were met last

  TextJudge(Tally tally, Limits limits) {
    this.tally = tally;
    this.limits = limits;
  }

  void judge(String text) throws Refusal {
    if (text.length() > limits.textLength()) {
      throw Refusal.forbidden(
          "text is too long: length=" + text.length() + ", limit=" + limits.textLength());
    }
    Brackets.judge(text, limits.nesting());
    judgeTime(text);
    walk(parse(text));
  }

  /**
   * What TinkerPop itself takes for a limit of time in a text, which it finds by regular
   * expressions; the one about comments descends into the stack for each character of one.
   */
  private void judgeTime(String text) throws Refusal {
    if (text.contains("/*") && text.matches("(?s).*(imeout|equest|REQ|ARGS_|materialize).*")) {
      throw Refusal.forbidden("comments and options do not go together in a text");
    }
    try {
      Optional<Long> asked = GremlinScriptChecker.parse(text).getTimeout();
      if (asked.isPresent()) {
        tally.option("evaluationTimeout", asked.get());
      }
    } catch (NumberFormatException e) {
      throw Refusal.forbidden("evaluationTimeout is not a number of milliseconds");
    }
  }

  private static ParserRuleContext parse(String text) throws Refusal {
    GremlinLexer lexer = new GremlinLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    lexer.addErrorListener(FirstError.LISTENER);
    CountedTokens tokens = new CountedTokens(lexer);
    GremlinParser parser = new GremlinParser(tokens);
    parser.removeErrorListeners();
    parser.addErrorListener(FirstError.LISTENER);
    try {
      try {
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        return parser.queryList();
      } catch (ParseCancellationException e) { // may be a weakness of the faster mode
        tokens.seek(0);
        lexer.reset();
        parser.reset();
        parser.getInterpreter().setPredictionMode(PredictionMode.LL);
        return parser.queryList();
      }
    } catch (ParseCancellationException e) {
      throw Refusal.notGremlin("Failed to interpret Gremlin query: " + e.getMessage());
    } catch (CountedTokens.Exhausted e) {
      throw Refusal.forbidden("text takes too long to parse: length=" + text.length());
    } finally {
      forget(parser.getInterpreter());
    }
  }

  /** All parsers share what they have learned, and strange texts make them learn without end. */
  private static void forget(ParserATNSimulator learned) {
    long states = 0;
    for (DFA decision : learned.decisionToDFA) {
      states += decision.states.size();
    }
    if (states > LEARNED) {
      learned.clearDFA();
    }
  }

  private void walk(ParserRuleContext root) throws Refusal {
    Deque<ParserRuleContext> left = new ArrayDeque<>();
    left.push(root);
    while (!left.isEmpty()) {
      ParserRuleContext node = left.pop();
      visit(node);
      for (int i = node.getChildCount() - 1; i >= 0; i--) { // the first is met first
        if (node.getChild(i) instanceof ParserRuleContext child) {
          left.push(child);
        }
      }
    }
  }

  private void visit(ParserRuleContext node) throws Refusal {
    if (node instanceof GremlinParser.NestedTraversalContext
        || node instanceof GremlinParser.TerminatedTraversalContext) {
      tally.parameters(service, node.getStart().getTokenIndex() <= parametersEnd);
    }
    String rule = GremlinParser.ruleNames[node.getRuleIndex()];
    if (rule.startsWith(STEP)) {
      visitStep(rule.substring(STEP.length()), node);
    } else if (rule.startsWith(SPAWN)) {
      visitStep(rule.substring(SPAWN.length()), node);
    } else if (rule.startsWith(SOURCE)) {
      visitSource(rule.substring(SOURCE.length()), node);
    } else if (rule.startsWith(TERMINAL)) {
      AllowList.requireTerminal(rule.substring(TERMINAL.length()));
    } else if (node instanceof GremlinParser.TraversalStrategyContext strategy) {
      visitStrategy(strategy);
    } else if (node instanceof GremlinParser.NestedTraversalExprContext nested) {
      tally.children(nested.nestedTraversal().size());
    } else if (node instanceof GremlinParser.NestedTraversalContext
        && !(node.getParent() instanceof GremlinParser.NestedTraversalExprContext)) {
      tally.children(1);
    } else if (node instanceof GremlinParser.GenericRangeLiteralContext range) {
      visitRange(range);
    } else if (node instanceof GremlinParser.NumericLiteralContext number) {
      visitNumber(number.getText());
    } else if (rule.equals("traversalPredicate_regex")
        || rule.equals("traversalPredicate_notRegex")) {
      visitRegex(node);
    }
  }

  private void visitStep(String step, ParserRuleContext node) throws Refusal {
    tally.step(step);
    if (step.equals("call")) {
      GremlinParser.StringLiteralContext name =
          node.getRuleContext(GremlinParser.StringLiteralContext.class, 0);
      if (name != null) {
        service = unquoted(name);
        tally.service(service);
      }
    }
    if (step.equals("call") || step.equals("with")) {
      parametersEnd = node.getStop().getTokenIndex();
    }
  }

  private void visitSource(String source, ParserRuleContext node) throws Refusal {
    if (node instanceof GremlinParser.TraversalSourceSelfMethod_withContext option) {
      String value = option.genericLiteral() == null ? "" : option.genericLiteral().getText();
      tally.option(unquoted(option.stringLiteral()), number(value));
    } else if (!source.equals("withStrategies")) { // those are judged one by one
      AllowList.requireSource(source);
    }
  }

  private void visitStrategy(GremlinParser.TraversalStrategyContext strategy) throws Refusal {
    String name = strategy.classType().getText();
    AllowList.requireStrategy(name);
    for (GremlinParser.ConfigurationContext entry : strategy.configuration()) {
      String key = entry.getChild(0).getText();
      AllowList.requireStrategyKey(name, key);
      AllowList.requireStrategyValue(key, unquoted(entry.genericArgument().getText()));
      if (name.equals("OptionsStrategy")) {
        tally.option(key, number(entry.genericArgument().getText()));
      }
    }
  }

  private void visitRange(GremlinParser.GenericRangeLiteralContext range) throws Refusal {
    if (range.integerLiteral().size() == 2) {
      Object from = number(range.integerLiteral(0).getText());
      Object to = number(range.integerLiteral(1).getText());
      if (from instanceof Long low && to instanceof Long high) {
        tally.range(Math.abs(high - low) + 1);
      }
    } else {
      tally.range(Character.MAX_VALUE + 1); // from one character to another
    }
  }

  private void visitNumber(String literal) throws Refusal {
    if (literal.length() > 400) {
      throw Refusal.forbidden("number has too many digits: limit=400");
    }
    int exponent = Math.max(literal.indexOf('e'), literal.indexOf('E'));
    if (exponent >= 0 && !literal.startsWith("0x")) {
      try {
        tally.decimal(new BigDecimal(literal.replaceAll("[^0-9.eE+-]", "")));
      } catch (NumberFormatException e) {
        throw Refusal.forbidden("number has too many digits: number=" + AllowList.shown(literal));
      }
    }
  }

  private static void visitRegex(ParserRuleContext node) throws Refusal {
    for (int i = 0; i < node.getChildCount(); i++) {
      ParseTree child = node.getChild(i);
      if (child.getText().startsWith("'") || child.getText().startsWith("\"")) {
        if (SafeRegex.repeats(StringEscapeUtils.unescapeJava(child.getText()))) {
          throw Refusal.forbidden(
              "a regular expression in a text must not repeat anything (* + { \\1); send the query"
                  + " as bytecode");
        }
      }
    }
  }

  private static Object number(String literal) {
    String digits = literal.replaceAll("[bsilnBSILN]$", "");
    return digits.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(digits) : literal;
  }

  /** A string literal without its quotes; an escaped character does not match any known name. */
  private static String unquoted(GremlinParser.StringLiteralContext literal) {
    return unquoted(literal.getText());
  }

  /** What stands between the first and the last character. */
  private static String unquoted(String text) {
    return text.length() < 2
        ? text
        : StringEscapeUtils.unescapeJava(text.substring(1, text.length() - 1));
  }
}
