package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.antlr.v4.runtime.tree.ParseTree;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptChecker;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;

/**
 * Validates a query text by its parse tree. The server cannot use TinkerPop's own conversion of a
 * text to a traversal for this, because that conversion executes terminal steps while it parses.
 *
 * <p>The grammar names a rule after the step, {@code traversalMethod_out}, so the validator takes
 * the name to look up in the {@link AllowList} from the rule. Any other rule is a value.
 *
 * <p>Before the parse, the validator limits the length of the text and the depth of its brackets:
 * ANTLR takes unbounded time for deep nesting and does not check for interrupts. {@link
 * CountedTokens} bounds the time of the parse for every other text.
 *
 * <p>Threads: one; a validator checks one text.
 */
final class TextValidator {
  private static final String STEP = "traversalMethod_";
  private static final String SPAWN = "traversalSourceSpawnMethod_";
  private static final String SOURCE = "traversalSourceSelfMethod_";
  private static final String TERMINAL = "traversalTerminalMethod_";

  private static final ParserMemory LEARNED = new ParserMemory(Runtime.getRuntime().maxMemory());

  /** The deepest nesting of grammar rules that a thread's stack can hold. */
  private static final int DEPTH = 3_000;

  /** How many levels of the stack a joined predicate takes; creating it nests the predicates. */
  private static final int PREDICATE = 15;

  private final QueryBudget tally;
  private final Limits limits;
  private final Map<?, ?> bindings;

  /** The steps and traversals that contain the current node, innermost first. */
  private final Deque<Open> open = new ArrayDeque<>();

  private String service = ""; // the last one called
  private int parametersEnd = -1; // last token of the last call() or with()

  /**
   * A step or traversal whose last token the walk has not passed.
   *
   * @param step the name of the step; empty for a traversal
   * @param end the index of the last token
   */
  private record Open(String step, int end) {}

  /**
   * Creates the validator of a text.
   *
   * @param bindings the values of the text's variables
   */
  TextValidator(QueryBudget tally, Limits limits, Map<?, ?> bindings) {
    this.tally = tally;
    this.limits = limits;
    this.bindings = bindings;
  }

  /**
   * Checks the text.
   *
   * @throws Refusal if the text is not Gremlin, or not allowed
   */
  void validate(String text) throws Refusal {
    if (text.length() > limits.textLength()) {
      throw Refusal.forbidden(
          "text is too long: length=" + text.length() + ", limit=" + limits.textLength());
    }
    NestingDepth.validate(text, limits.nesting());
    validateTime(text);
    walk(parse(text));
  }

  /**
   * Checks the timeout that TinkerPop finds in a text by regular expressions. The expression for
   * comments recurses for each character of a comment, so comments and options exclude each other.
   */
  private void validateTime(String text) throws Refusal {
    if (text.contains("/*") && text.matches("(?s).*(imeout|equest|REQ|ARGS_|materialize).*")) {
      throw Refusal.forbidden("a query text cannot contain both a block comment and an option");
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
      } catch (ParseCancellationException e) { // the text may need the slower mode
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
      LEARNED.limit(parser.getInterpreter());
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
      for (int i = node.getChildCount() - 1; i >= 0; i--) { // pushed in reverse, visited in order
        if (node.getChild(i) instanceof ParserRuleContext child) {
          left.push(child);
          depths.push(
              depth + (child instanceof GremlinParser.TraversalPredicateContext ? PREDICATE : 1));
        }
      }
    }
    close(Integer.MAX_VALUE);
  }

  /** Limits the depth: TinkerPop recurses for each step and for each joined predicate of a text. */
  private static void requireDepth(int depth) throws Refusal {
    if (depth > DEPTH) {
      throw Refusal.forbidden(
          "text has too many steps or joined predicates in a row: limit="
              + DEPTH
              + "; send the query as bytecode");
    }
  }

  /** Closes the steps and traversals that end before a token. */
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

  /** The name of the step whose arguments the walk visits; empty for arguments of a source. */
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

  /** Counts a collection that is an element of a set or a key of a map. */
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
    } else if (!source.equals("withStrategies")) { // visitStrategy() checks each
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
      tally.range(Character.MAX_VALUE + 1); // a range of characters
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

  /**
   * The value of an integer literal of the grammar: decimal, octal or hexadecimal, with a type
   * suffix.
   */
  private static BigInteger integer(String literal) throws Refusal {
    String digits = literal.toLowerCase(Locale.ROOT).replace("_", "");
    boolean negative = digits.startsWith("-");
    digits = digits.replaceFirst("^[+-]", "");
    boolean hexadecimal = digits.startsWith("0x");
    digits = hexadecimal ? digits.substring(2) : digits;
    digits = digits.replaceFirst(hexadecimal ? "[lnsi]$" : "[bsiln]$", "");
    try {
      BigInteger value = new BigInteger(digits, hexadecimal ? 16 : 10); // octal is smaller
      return negative ? value.negate() : value;
    } catch (NumberFormatException e) {
      throw Refusal.forbidden("number is not known: number=" + AllowList.shown(literal));
    }
  }

  private static Double decimal(String literal) {
    String digits = literal.toLowerCase(Locale.ROOT).replaceFirst("[fdm]$", "");
    try {
      return Double.valueOf(digits);
    } catch (NumberFormatException e) { // not a finite number
      return digits.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
  }

  private static Object number(String literal) {
    String digits = literal.replaceAll("[bsilnBSILN]$", "");
    return digits.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(digits) : literal;
  }

  /** The value of a string literal without its quotes, with escapes resolved. */
  private static String unquoted(GremlinParser.StringLiteralContext literal) {
    return unquoted(literal.getText());
  }

  /** The text between the first and the last character, with escapes resolved. */
  private static String unquoted(String text) {
    return text.length() < 2
        ? text
        : StringEscapeUtils.unescapeJava(text.substring(1, text.length() - 1));
  }
}
