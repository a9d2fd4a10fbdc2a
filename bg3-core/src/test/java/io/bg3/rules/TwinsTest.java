package io.bg3.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Plants every twin of every rule test without running it, so that a change of the engine that
 * takes away a call that a twin leaves out is seen at once.
 */
class TwinsTest {
  @Test
  void everyTwinCanBePlanted() throws Exception {
    List<String> wrong = new ArrayList<>();
    int twins = 0;
    for (Class<?> test : ruleTests()) {
      for (Method method : test.getDeclaredMethods()) {
        RuleTest rule = method.getAnnotation(RuleTest.class);
        if (rule != null) {
          twins += rule.twins().length;
          wrong.addAll(TwinCheck.problems(method));
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(twins > 40, "twins: " + twins);
  }

  private static List<Class<?>> ruleTests() throws IOException, URISyntaxException {
    Path root =
        Path.of(TwinsTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> tests = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith("RulesTest.class")).toList()) {
        String name = root.relativize(file).toString().replace('/', '.').replace('\\', '.');
        tests.add(Class.forName(name.substring(0, name.length() - ".class".length())));
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    return tests;
  }
}
