package io.bg3.server.guard;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
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

  /** Rules of the grammar in each other, for which a thread has a stack. */
  private static final int DEPTH = 3_000;

  /** How much more of the stack joined predicates take, which stand in each other when made. */
  private static final int PREDICATE = 15;

  private final Tally tally;
  private final Limits limits;
  private final Map<?, ?> bindings;
  private final Deque<Open> open = new ArrayDeque<>(); // what the tokens now met stand in
  private String service = ""; // that was called last
  private int parametersEnd = -1; // the token at which those end that were met last

  /**
   * A step or a traversal of which the last token has not been met.
   *
   * @param step its name; empty for a traversal
   * @param end its last token
   */
  private record Open(String step, int end) {}

  /**
   * @param bindings values of the text's variables
   */
  TextJudge(Tally tally, Limits limits, Map<?, ?> bindings) {
    this.tally = tally;
    this.limits = limits;
    this.bindings = bindings;
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
    Deque<Integer> depths = new ArrayDeque<>();
    left.push(root);
    depths.push(0);
    while (!left.isEmpty()) {
      ParserRuleContext node = left.pop();
      int depth = depths.pop();
      requireDepth(depth);
      close(node.getStart().getTokenIndex());
      visit(node);
      for (int i = node.getChildCount() - 1; i >= 0; i--) { // the first is met first
        if (node.getChild(i) instanceof ParserRuleContext child) {
          left.push(child);
          depths.push(
              depth + (child instanceof GremlinParser.TraversalPredicateContext ? PREDICATE : 1));
        }
      }
    }
    close(Integer.MAX_VALUE);
  }

  /** TinkerPop descends into the stack for each step of a text, and for each joined predicate. */
  private static void requireDepth(int depth) throws Refusal {
    if (depth > DEPTH) {
      throw Refusal.forbidden(
          "text has too many steps or joined predicates in a row: limit="
              + DEPTH
              + "; send the query as bytecode");
    }
  }

  /** Leaves the steps and traversals that end before a token. */
  private void close(int token) throws Refusal {
    while (!open.isEmpty() && open.peek().end < token) {
      if (open.pop().step.isEmpty()) {
        tally.close();
      }
    }
  }

  private void open(String step, ParserRuleContext node) {
    open.push(new Open(step, node.getStop().getTokenIndex()));
  }

  /** The name of the step whose arguments are met; empty in those of a source. */
  private String step() {
    return open.isEmpty() ? "" : open.peek().step;
  }

  private void visit(ParserRuleContext node) throws Refusal {
    if (node instanceof GremlinParser.NestedTraversalContext
        || node instanceof GremlinParser.TerminatedTraversalContext) {
      tally.parameters(service, node.getStart().getTokenIndex() <= parametersEnd);
    }
    if (node instanceof GremlinParser.NestedTraversalContext
        || node instanceof GremlinParser.RootTraversalContext) {
      tally.open();
      open("", node);
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
      open(rule.substring(TERMINAL.length()), node);
    } else if (node instanceof GremlinParser.TraversalStrategyContext strategy) {
      visitStrategy(strategy);
    } else if (node instanceof GremlinParser.NestedTraversalExprContext nested) {
      tally.children(nested.nestedTraversal().size());
    } else if (node instanceof GremlinParser.NestedTraversalContext
        && !(node.getParent() instanceof GremlinParser.NestedTraversalExprContext)) {
      tally.children(1);
    } else if (node instanceof GremlinParser.GenericRangeLiteralContext range) {
      visitRange(range);
      visitCollection(range);
    } else if (node instanceof GremlinParser.NumericLiteralContext number) {
      visitNumber(number.getText());
      if (number.integerLiteral() == null) {
        tally.number(step(), decimal(number.getText()));
      }
    } else if (node instanceof GremlinParser.IntegerLiteralContext integer) {
      visitNumber(integer.getText());
      tally.number(step(), integer(integer.getText()));
    } else if (node instanceof GremlinParser.StringLiteralContext text) {
      tally.text(step(), text.getText());
    } else if (node instanceof GremlinParser.VariableContext variable) {
      visitVariable(bindings.get(variable.getText()));
    } else if (rule.equals("traversalPredicate_regex")
        || rule.equals("traversalPredicate_notRegex")) {
      visitRegex(node);
    } else {
      visitCollection(node);
    }
  }

  private void visitVariable(Object value) throws Refusal {
    if (value instanceof Number number) {
      tally.number(step(), number);
    } else if (value instanceof String text) {
      tally.text(step(), text);
    }
  }

  /** Counts collections that are elements of a set, or keys of a map. */
  private void visitCollection(ParserRuleContext node) throws Refusal {
    boolean isCollection =
        node instanceof GremlinParser.GenericCollectionLiteralContext
            || node instanceof GremlinParser.GenericSetLiteralContext
            || node instanceof GremlinParser.GenericMapLiteralContext
            || node instanceof GremlinParser.GenericRangeLiteralContext;
    if (isCollection
        && (node.getParent() instanceof GremlinParser.MapKeyContext
            || node.getParent().getParent() instanceof GremlinParser.GenericSetLiteralContext)) {
      tally.hashed();
    }
  }

  private void visitStep(String step, ParserRuleContext node) throws Refusal {
    tally.step(step);
    open(step, node);
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
    tally.source();
    if (node instanceof GremlinParser.TraversalSourceSelfMethod_withContext option) {
      String value = option.genericLiteral() == null ? "" : option.genericLiteral().getText();
      tally.option(unquoted(option.stringLiteral()), number(value));
    } else if (!source.equals("withStrategies")) { // those are judged one by one
      AllowList.requireSource(source);
    }
  }

  private void visitStrategy(GremlinParser.TraversalStrategyContext strategy) throws Refusal {
    String name = strategy.classType().getText();
    tally.source();
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

  private void visitRegex(ParserRuleContext node) throws Refusal {
    for (int i = 0; i < node.getChildCount(); i++) {
      ParseTree child = node.getChild(i);
      String text = child.getText();
      if (child instanceof GremlinParser.StringArgumentContext argument
          && argument.variable() != null) {
        requireLoopless(String.valueOf(bindings.get(text)));
      } else if (text.startsWith("'") || text.startsWith("\"")) {
        requireLoopless(unquoted(text));
      }
    }
  }

  private static void requireLoopless(String expression) throws Refusal {
    if (SafeRegex.repeats(expression)) {
      throw Refusal.forbidden(
          "a regular expression in a text must not repeat anything (* + { \\1); send the query as"
              + " bytecode");
    }
    RegexCost.requireFew(expression);
  }

  /** The value of a literal of the grammar: decimal, octal or hexadecimal, with its type behind. */
  private static BigInteger integer(String literal) throws Refusal {
    String digits = literal.toLowerCase(Locale.ROOT).replace("_", "");
    boolean negative = digits.startsWith("-");
    digits = digits.replaceFirst("^[+-]", "");
    boolean hexadecimal = digits.startsWith("0x");
    digits = hexadecimal ? digits.substring(2) : digits;
    digits = digits.replaceFirst(hexadecimal ? "[lnsi]$" : "[bsiln]$", "");
    try {
      BigInteger value = new BigInteger(digits, hexadecimal ? 16 : 10); // octal is less than this
      return negative ? value.negate() : value;
    } catch (NumberFormatException e) {
      throw Refusal.forbidden("number is not known: number=" + AllowList.shown(literal));
    }
  }

  private static Double decimal(String literal) {
    String digits = literal.toLowerCase(Locale.ROOT).replaceFirst("[fdm]$", "");
    try {
      return Double.valueOf(digits);
    } catch (NumberFormatException e) { // not a number, or infinite
      return digits.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
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
