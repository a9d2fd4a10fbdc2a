package io.bg3.server.guard;

import static io.bg3.server.guard.ValidatedMessages.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Validates regular expressions that match nothing in many ways, and ordinary ones. */
class RegexCostTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)*$",
        "(?i)^(Mr|Mrs|Dr)\\.? .*",
        "\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?)?",
        "(a+)+$",
        "(?<year>\\d+)(?=x)(?!y)(?:z|)",
        "[a-z&&[^b-d]]{2,100000}\\Q(((\\E",
        "\\bword\\b|\\p{Lu}+|\\x41",
        "(x+x+)+\\1?y",
      })
  void takesOrdinaryExpressions(String expression) {
    assertEquals("", verdict(() -> RegexCost.require(expression)));
  }

  static List<String> hostile() {
    return List.of(
        "(|)".repeat(60) + "x",
        "(a?|)".repeat(60) + "x",
        "(?:(?:){2147483647}){2147483647}x",
        "(x?){1000}{1000}y",
        "(()|()|())*".repeat(30) + "x",
        "((|)(|)){30}x",
        "(?=(|){30}x)",
        "(?x)( | ) # (",
        "[]a(|)]",
        "(".repeat(60),
        "a".repeat(1_001));
  }

  @Test
  void refusesWhatLooksForMatchesWithoutReading() {
    for (String expression : hostile()) {
      assertFalse(verdict(() -> RegexCost.require(expression)).isEmpty(), expression);
    }
  }

  @Test
  void textsAreRefusedThatMatchInManyWays() {
    for (String expression : List.of("(a|a)".repeat(20), "a?".repeat(40) + "a", "(|)".repeat(60))) {
      String text = "g.V().has('n',TextP.regex('" + expression + "'))";
      assertTrue(
          verdict(() -> ValidatedMessages.JUDGE.validate(text)).contains("too many ways"), text);
    }
    String variable = "g.V().has('n',TextP.regex(x))";
    assertEquals(
        "", verdict(() -> ValidatedMessages.JUDGE.validate(variable, Map.of("x", "^a|b$"))));
    assertFalse(
        verdict(() -> ValidatedMessages.JUDGE.validate(variable, Map.of("x", "(a+)+$"))).isEmpty());
  }

  /** Reading a predicate compiles its expression, so the bytes are validated. */
  @Test
  void bytesAreRefusedBeforeAnythingCompilesThem() {
    String marker = "MARKER".repeat(20);
    Bytecode query = new Bytecode();
    query.addStep("has", "n", TextP.regex(marker));
    query.addStep("has", "n", P.not(TextP.notRegex(marker)));
    String evil = "(|)".repeat(40); // as long as the marker
    byte[] binary = Messages.binary(query);
    byte[] json = Messages.json(Messages.request(query));
    assertEquals(
        "", verdict(() -> new GraphBinaryValidator(Messages.body(binary), 200).validate()));
    assertTrue(
        verdict(
                () ->
                    new GraphBinaryValidator(Messages.body(replaced(binary, marker, evil)), 200)
                        .validate())
            .contains("match the empty string in too many ways"));
    assertTrue(
        verdict(
                () ->
                    new GraphSonValidator(200)
                        .validate(new ByteArrayInputStream(replaced(json, marker, evil))))
            .contains("match the empty string in too many ways"));
  }

  private static byte[] replaced(byte[] message, String old, String by) {
    return new String(message, StandardCharsets.ISO_8859_1)
        .replace(old, by)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void anExpressionTooDeepForItsTextIsAnAnswer() {
    P<?> predicate = SafeRegex.interruptible(TextP.regex("^(a|b)*$"));
    @SuppressWarnings("unchecked")
    P<String> ofTexts = (P<String>) predicate;
    assertTrue(ofTexts.test("ab".repeat(10)));
    String message =
        assertThrows(IllegalStateException.class, () -> ofTexts.test("ab".repeat(1_000_000)))
            .getMessage();
    assertTrue(message.startsWith("regular expression is too deep for the text"), message);
  }

  /** Whatever passes ends soon after an interrupt. */
  @Test
  void whatPassesIsInterruptible() throws InterruptedException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    List<String> parts =
        List.of("(", ")", "|", "a", "b", "?", "*", "+", "{3}", "{2,9}", "(|)", "(a?)", "()", "$");
    for (int round = 0; round < 3_000; round++) {
      StringBuilder expression = new StringBuilder();
      for (int i = 0; i < 1 + random.nextInt(40); i++) {
        expression.append(parts.get(random.nextInt(parts.size())));
      }
      String text = expression.toString();
      if (verdict(() -> RegexCost.require(text)).isEmpty()) {
        assertEnds(text, "-Dbg3.seed=" + seed + ", expression=" + text);
      }
    }
  }

  private static void assertEnds(String expression, String message) throws InterruptedException {
    AtomicReference<Throwable> error = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                @SuppressWarnings("unchecked")
                P<String> regex = (P<String>) SafeRegex.interruptible(TextP.regex(expression));
                regex.test("a".repeat(30));
                regex.test("");
              } catch (TraversalInterruptedException | IllegalArgumentException e) {
                return; // interrupted, or no expression
              } catch (Throwable e) {
                error.set(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    thread.join(20);
    thread.interrupt();
    thread.join(300_000);
    assertFalse(thread.isAlive(), message);
    assertEquals(null, error.get(), message);
  }
}
