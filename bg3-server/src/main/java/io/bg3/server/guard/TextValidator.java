package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptChecker;
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
  /** The role that the validator gives a rule of the grammar. */
  private enum Kind {
    STEP,
    SOURCE,
    TERMINAL,
    REGEX,
    OTHER
  }

  /** The kinds of rules, by what their names begin with in front of the name of a step. */
  private static final Map<String, Kind> PREFIXES =
      Map.of(
          "traversalMethod_", Kind.STEP,
          "traversalSourceSpawnMethod_", Kind.STEP,
          "traversalSourceSelfMethod_", Kind.SOURCE,
          "traversalTerminalMethod_", Kind.TERMINAL);

  /** The kind of each rule of the grammar, by its index. */
  private static final Kind[] KINDS = new Kind[GremlinParser.ruleNames.length];

  /** The name of the step behind each rule of the grammar, by its index; empty if it has none. */
  private static final String[] STEPS = new String[GremlinParser.ruleNames.length];

  static {
    for (int rule = 0; rule < KINDS.length; rule++) {
      KINDS[rule] = Kind.OTHER;
      STEPS[rule] = "";
      String name = GremlinParser.ruleNames[rule];
      for (Map.Entry<String, Kind> prefix : PREFIXES.entrySet()) {
        if (name.startsWith(prefix.getKey())) {
          KINDS[rule] = prefix.getValue();
          STEPS[rule] = name.substring(prefix.getKey().length());
        }
      }
    }
    KINDS[GremlinParser.RULE_traversalPredicate_regex] = Kind.REGEX;
    KINDS[GremlinParser.RULE_traversalPredicate_notRegex] = Kind.REGEX;
  }

  private static final Pattern OPTION =
      Pattern.compile("(?s).*(imeout|equest|REQ|ARGS_|materialize).*");
  private static final Pattern NOT_DECIMAL = Pattern.compile("[^0-9.eE+-]");
  private static final Pattern SMALL = Pattern.compile("-?[0-9]{1,18}");
  private static final String INTEGER_SUFFIXES = "bsilnBSILN";
  private static final String HEXADECIMAL_SUFFIXES = "lnsi"; // b is a digit
  private static final String DECIMAL_SUFFIXES = "fdmFDM";

  /** Digits of an integer that fits into a {@code long} whatever they are. */
  private static final int LONG_DIGITS = 18;

  /** Nodes of a tree for which there is room at first. */
  private static final int FIRST_ROOM = 64;

  /** The deepest nesting of grammar rules that a thread's stack can hold. */
  private static final int DEPTH = 3_000;

  /** How many levels of the stack a joined predicate takes; creating it nests the predicates. */
  private static final int PREDICATE = 15;

  private final TextParser parser;
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
  TextValidator(TextParser parser, QueryBudget tally, Limits limits, Map<?, ?> bindings) {
    this.parser = parser;
    this.tally = tally;
    this.limits = limits;
    this.bindings = bindings;
  }

  /**
   * Checks the text.
   *
   * @return its parse tree
   * @throws Refusal if the text is not Gremlin, or not allowed
   */
  ParserRuleContext validate(String text) throws Refusal {
    if (text.length() > limits.textLength()) {
      throw Refusal.forbidden(
          "text is too long: length=" + text.length() + ", limit=" + limits.textLength());
    }
    NestingDepth.validate(text, limits.nesting());
    validateTime(text);
    ParserRuleContext tree = parser.parse(text);
    walk(tree);
    return tree;
  }

  /**
   * Checks the timeout that TinkerPop finds in a text by regular expressions. The expression for
   * comments recurses for each character of a comment, so comments and options exclude each other.
   */
  private void validateTime(String text) throws Refusal {
    if (text.contains("/*") && OPTION.matcher(text).matches()) {
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

  private void walk(ParserRuleContext root) throws Refusal {
    List<ParserRuleContext> left = new ArrayList<>();
    int[] depths = new int[FIRST_ROOM]; // of these
    left.add(root);
    while (!left.isEmpty()) {
      int last = left.size() - 1;
      ParserRuleContext node = left.remove(last);
      int depth = depths[last];
      requireDepth(depth);
      close(node.getStart().getTokenIndex());
      visit(node);
      for (int i = node.getChildCount() - 1; i >= 0; i--) { // added in reverse, visited in order
        if (node.getChild(i) instanceof ParserRuleContext child) {
          if (left.size() == depths.length) {
            depths = Arrays.copyOf(depths, 2 * depths.length);
          }
          depths[left.size()] =
              depth
                  + (child.getRuleIndex() == GremlinParser.RULE_traversalPredicate ? PREDICATE : 1);
          left.add(child);
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
    switch (KINDS[node.getRuleIndex()]) {
      case STEP -> visitStep(STEPS[node.getRuleIndex()], node);
      case SOURCE -> visitSource(STEPS[node.getRuleIndex()], node);
      case TERMINAL -> {
        AllowList.requireTerminal(STEPS[node.getRuleIndex()]);
        open(STEPS[node.getRuleIndex()], node);
      }
      case REGEX -> visitRegex(node);
      case OTHER -> visitOther(node);
    }
  }

  private void visitOther(ParserRuleContext node) throws Refusal {
    switch (node.getRuleIndex()) {
      case GremlinParser.RULE_rootTraversal -> open(node);
      case GremlinParser.RULE_terminatedTraversal -> visitParameters(node);
      case GremlinParser.RULE_nestedTraversal -> {
        visitParameters(node);
        open(node);
        if (!(node.getParent() instanceof GremlinParser.NestedTraversalExprContext)) {
          tally.children(1);
        }
      }
      case GremlinParser.RULE_nestedTraversalExpr ->
          tally.children(
              ((GremlinParser.NestedTraversalExprContext) node).nestedTraversal().size());
      case GremlinParser.RULE_traversalStrategy ->
          visitStrategy((GremlinParser.TraversalStrategyContext) node);
      case GremlinParser.RULE_genericRangeLiteral -> {
        visitRange((GremlinParser.GenericRangeLiteralContext) node);
        visitCollection(node);
      }
      case GremlinParser.RULE_genericCollectionLiteral,
          GremlinParser.RULE_genericSetLiteral,
          GremlinParser.RULE_genericMapLiteral ->
          visitCollection(node);
      case GremlinParser.RULE_numericLiteral -> {
        if (((GremlinParser.NumericLiteralContext) node).integerLiteral() == null) {
          visitNumber(node.getText());
          tally.number(step(), decimal(node.getText()));
        } // else the integer comes next
      }
      case GremlinParser.RULE_integerLiteral -> visitInteger(node.getText());
      case GremlinParser.RULE_stringLiteral -> tally.text(step(), node.getText());
      case GremlinParser.RULE_variable -> visitVariable(bindings.get(node.getText()));
      default -> {} // its children say what it is
    }
  }

  /** Opens a traversal. */
  private void open(ParserRuleContext node) {
    tally.open();
    open("", node);
  }

  private void visitParameters(ParserRuleContext node) throws Refusal {
    tally.parameters(service, node.getStart().getTokenIndex() <= parametersEnd);
  }

  private void visitInteger(String literal) throws Refusal {
    BigInteger small = small(literal);
    if (small == null) {
      visitNumber(literal);
      tally.number(step(), integer(literal));
    } else {
      tally.number(step(), small);
    }
  }

  /** The value of a decimal integer of few digits; null if the literal is another. */
  private static BigInteger small(String literal) {
    int begin = literal.startsWith("-") || literal.startsWith("+") ? 1 : 0;
    int end = literal.length();
    if (end > begin && INTEGER_SUFFIXES.indexOf(literal.charAt(end - 1)) >= 0) {
      end--;
    }
    if (end == begin || end - begin > LONG_DIGITS) {
      return null;
    }
    long value = 0;
    for (int i = begin; i < end; i++) {
      int digit = literal.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return null;
      }
      value = value * 10 + digit;
    }
    return BigInteger.valueOf(literal.startsWith("-") ? -value : value);
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
    if (node.getParent() instanceof GremlinParser.MapKeyContext
        || node.getParent().getParent() instanceof GremlinParser.GenericSetLiteralContext) {
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
        tally.decimal(new BigDecimal(NOT_DECIMAL.matcher(literal).replaceAll("")));
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
    digits = negative || digits.startsWith("+") ? digits.substring(1) : digits;
    boolean hexadecimal = digits.startsWith("0x");
    digits = hexadecimal ? digits.substring(2) : digits;
    digits = without(hexadecimal ? HEXADECIMAL_SUFFIXES : INTEGER_SUFFIXES, digits);
    try {
      BigInteger value = new BigInteger(digits, hexadecimal ? 16 : 10); // octal is smaller
      return negative ? value.negate() : value;
    } catch (NumberFormatException e) {
      throw Refusal.forbidden("number is not known: number=" + AllowList.shown(literal));
    }
  }

  private static Double decimal(String literal) {
    String digits = without(DECIMAL_SUFFIXES, literal.toLowerCase(Locale.ROOT));
    try {
      return Double.valueOf(digits);
    } catch (NumberFormatException e) { // not a finite number
      return digits.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
  }

  private static Object number(String literal) {
    String digits = without(INTEGER_SUFFIXES, literal);
    return SMALL.matcher(digits).matches() ? (Object) Long.valueOf(digits) : literal;
  }

  /** A literal without the letter of its type. */
  private static String without(String suffixes, String literal) {
    int last = literal.length() - 1;
    return last >= 0 && suffixes.indexOf(literal.charAt(last)) >= 0
        ? literal.substring(0, last)
        : literal;
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
