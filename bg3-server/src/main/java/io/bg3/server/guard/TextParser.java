package io.bg3.server.guard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bg3.server.answer.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.antlr.v4.runtime.tree.ParseTree;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;

/**
 * Parses query texts, and keeps parse trees by text. Clients that send the values of a query as
 * parameters send the same text again, and its lexing and parsing take longer than most of the rest
 * of a short request. The tree of a text has no values of parameters: each request validates the
 * tree with its own values, and evaluates it with them.
 *
 * <p>The trees that clients use most stay, within a bound on their memory. So texts that are sent
 * once, with the values written into them, displace few of the others.
 *
 * <p>Threads: any. Nothing writes to a tree after the parse.
 */
public final class TextParser {
  /** Bytes of a node of a tree, with its list of children and its token. */
  private static final int NODE = 100;

  /** Bytes of a tree beside its nodes and its text: the lexer, and the entry of the cache. */
  private static final int TREE = 2_000;

  /** What ANTLR learns, which all parsers share. */
  private static final ParserMemory LEARNED = new ParserMemory(Runtime.getRuntime().maxMemory());

  private final Cache<String, ParserRuleContext> trees;

  /**
   * Creates a parser that keeps no tree yet.
   *
   * @param bytes memory for parse trees; 0 keeps none
   */
  public TextParser(long bytes) {
    trees =
        Caffeine.newBuilder()
            .maximumWeight(bytes)
            .weigher(TextParser::weight)
            .executor(Runnable::run) // it does little, and no other thread has to wake up
            .recordStats()
            .build();
  }

  /** The estimated memory of a tree with its text, in bytes. */
  private static int weight(String text, ParserRuleContext tree) {
    int nodes = 0;
    Deque<ParseTree> left = new ArrayDeque<>(List.of(tree)); // deep trees exceed a thread's stack
    while (!left.isEmpty()) {
      ParseTree node = left.pop();
      nodes++;
      for (int i = 0; i < node.getChildCount(); i++) {
        left.push(node.getChild(i));
      }
    }
    return (int) Math.min(Integer.MAX_VALUE, TREE + 2L * text.length() + (long) NODE * nodes);
  }

  /**
   * The parse tree of a text, which must not be changed.
   *
   * @throws Refusal if the text is not Gremlin, or takes too long to parse
   */
  ParserRuleContext parse(String text) throws Refusal {
    ParserRuleContext kept = trees.getIfPresent(text);
    if (kept != null) {
      return kept;
    }
    ParserRuleContext tree = parseAnew(text);
    trees.put(text, tree);
    return tree;
  }

  private static ParserRuleContext parseAnew(String text) throws Refusal {
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
      LEARNED.parsed(parser.getInterpreter(), text.length());
    }
  }

  /** How many texts were found parsed. */
  public long hits() {
    return trees.stats().hitCount();
  }

  /** How many texts were parsed, or refused by the parser. */
  public long misses() {
    return trees.stats().missCount();
  }

  /** The estimated memory of the trees that are kept, in bytes. */
  public long bytes() {
    return trees.policy().eviction().orElseThrow().weightedSize().orElseThrow();
  }
}
