package io.bg3.rules;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Looks whether the sites and twins of a {@link RuleTest} fit the engine as it is. */
public final class TwinCheck {
  private TwinCheck() {}

  /** The faults that cannot be planted, a line each. */
  public static List<String> problems(Method test) {
    RuleTest rule = test.getAnnotation(RuleTest.class);
    List<String> problems = new ArrayList<>();
    for (Twin twin : rule.twins()) {
      try {
        new TwinLoader(test.getDeclaringClass(), rule.sites(), twin).plant();
      } catch (ClassNotFoundException | IllegalStateException | LinkageError e) {
        problems.add(test.getName() + ", twin " + twin.name() + ": " + e);
      }
    }
    return problems;
  }
}
