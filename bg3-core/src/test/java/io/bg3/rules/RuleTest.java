package io.bg3.rules;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that has to pass on the engine as it is, and to fail on each of its broken twins. The
 * method has no parameters; neither it nor its class may depend on methods that run before or after
 * each test.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(RuleTestExtension.class)
public @interface RuleTest {
  /** The number of the rule in docs/correctness.md. */
  int rule();

  /** Where the test stops threads, in the engine as it is and in the twins. */
  Site[] sites() default {};

  /** The faults that the test has to find. */
  Twin[] twins();
}
