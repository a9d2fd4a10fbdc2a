package io.bg3.server.guard;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.antlr.v4.runtime.atn.ParserATNSimulator;
import org.antlr.v4.runtime.atn.PredictionContextCache;
import org.antlr.v4.runtime.dfa.DFA;
import org.antlr.v4.runtime.dfa.DFAState;

/**
 * Bounds what ANTLR learns of the texts that it parses. It keeps the states of its automata, which
 * all parsers of a grammar share, until the process ends. Clients that send ever other texts make
 * ever more states, of 200 configurations each and more.
 *
 * <p>Threads: any; one instance for a grammar.
 */
final class ParserMemory {
  /** Bytes that a configuration takes with its part of the state and of the sets that hold it. */
  private static final int CONFIGURATION = 42;

  /** Bytes that a context takes with its entry of the map. */
  private static final int CONTEXT = 96;

  /** Parts of the heap for either. */
  private static final int CONFIGURATIONS_PART = 12;

  private static final int CONTEXTS_PART = 48;

  /** New states after which the configurations are counted again. */
  private static final int STEP = 128;

  /** Characters of texts after which the states are counted again: it takes a microsecond. */
  private static final int CHARACTERS = 1 << 14;

  /** Characters that a text counts as in addition, so that every 32nd one counts at least. */
  private static final int TEXT = CHARACTERS / 32;

  private static final MethodHandle CONTEXTS = contexts();

  private final long mostConfigurations;
  private final long mostContexts;
  private final AtomicLong counted = new AtomicLong(); // states
  private final AtomicLong characters = new AtomicLong(); // of texts since then

  /** Bounds by the size of the heap: a tenth of it, or so. */
  ParserMemory(long heap) {
    this(heap / CONFIGURATIONS_PART / CONFIGURATION, heap / CONTEXTS_PART / CONTEXT);
  }

  ParserMemory(long mostConfigurations, long mostContexts) {
    this.mostConfigurations = mostConfigurations;
    this.mostContexts = mostContexts;
  }

  /** ANTLR has no method to forget them; its own parsers are not disturbed by it. */
  private static MethodHandle contexts() {
    try {
      return MethodHandles.privateLookupIn(PredictionContextCache.class, MethodHandles.lookup())
          .findGetter(PredictionContextCache.class, "cache", Map.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this version of ANTLR keeps its contexts elsewhere", e);
    }
  }

  /**
   * Bounds what a parser's grammar has learned, now and then: at least once in 32 texts, and once
   * in {@code CHARACTERS} of their characters. A character adds few states at most, so what is
   * learned between two looks is little beside the limit.
   *
   * @param length of the text that the parser has parsed, in characters
   */
  void parsed(ParserATNSimulator parser, int length) {
    if (characters.addAndGet((long) length + TEXT) >= CHARACTERS) {
      characters.set(0);
      limit(parser);
    }
  }

  /**
   * Has a parser's grammar forget what it has learned if that is more than the limit. Parsers that
   * run at the time go on with what they have, and learn again.
   */
  void limit(ParserATNSimulator parser) {
    long states = states(parser);
    long before = counted.get();
    if (states - before >= STEP || states < before) {
      counted.set(states);
      if (configurations(parser) > mostConfigurations) {
        parser.clearDFA();
        counted.set(0);
      }
    }
    PredictionContextCache contexts = parser.getSharedContextCache();
    if (contexts.size() > mostContexts) {
      forget(contexts);
    }
  }

  /** Configurations of all states. */
  static long configurations(ParserATNSimulator parser) {
    long configurations = 0;
    for (DFA decision : parser.decisionToDFA) {
      synchronized (decision.states) { // as ANTLR does when it adds one
        for (DFAState state : decision.states.keySet()) {
          configurations += state.configs.size();
        }
      }
    }
    return configurations;
  }

  private static long states(ParserATNSimulator parser) {
    long states = 0;
    for (DFA decision : parser.decisionToDFA) {
      states += decision.states.size();
    }
    return states;
  }

  private static void forget(PredictionContextCache contexts) {
    synchronized (contexts) { // as ANTLR does when it adds one
      try {
        ((Map<?, ?>) CONTEXTS.invokeExact(contexts)).clear();
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }
}
