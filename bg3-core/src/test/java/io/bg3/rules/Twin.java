package io.bg3.rules;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The engine with one fault: a method does not call what it should, or calls something else. */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Twin {
  /** The fault, in the words of docs/correctness.md. */
  String name();

  /** The full name of the class. */
  String in();

  /**
   * The names of the methods; lambdas in them count as part of them. One that is overloaded is
   * named with its descriptor.
   */
  String[] method();

  /**
   * The calls that are left out, as {@code Class.method}. If there are none, the whole body of each
   * method is left out.
   */
  String[] without() default {};

  /** Which of several such calls, counted from 1; 0 for all. */
  int nth() default 0;

  /** The result of a call or a method that is left out, if it is a number or a boolean. */
  int result() default 0;

  /**
   * A static method of the test's class that is called in place of what is left out, with the
   * object first that the method would have been called on; empty for none.
   */
  String instead() default "";
}
