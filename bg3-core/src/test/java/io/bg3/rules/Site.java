package io.bg3.rules;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A place in the engine's code that tells {@link Sites} when a thread passes it: before or after
 * the calls of one method in another, or at the beginning of a method.
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Site {
  /** The name by which the test refers to it. */
  String name();

  /** The full name of the class. */
  String in();

  /**
   * The name of the method; lambdas in it count as part of it. One that is overloaded is named with
   * its descriptor.
   */
  String method();

  /** The call that the site stands before, as {@code Class.method}; empty for none. */
  String before() default "";

  /** The call that the site stands behind, as {@code Class.method}; empty for none. */
  String after() default "";

  /** Which of several such calls, counted from 1; 0 for all. */
  int nth() default 0;
}
