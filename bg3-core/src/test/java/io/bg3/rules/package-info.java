/**
 * Tests of the rules in docs/correctness.md, each run on the engine as it is and on broken twins of
 * it.
 *
 * <p>A {@link io.bg3.rules.RuleTest} names a rule, the places at which threads meet ({@link
 * io.bg3.rules.Site}) and the faults that it finds ({@link io.bg3.rules.Twin}). Sites and faults
 * are put into the byte code of the engine's classes, which a class loader of their own loads for
 * one run ({@link io.bg3.rules.TwinLoader}). So the engine has no hook for tests in it, and a site
 * can be anywhere.
 *
 * <pre>
 *   thread A                        thread B, started by {@link io.bg3.rules.Sites#meanwhile}
 *   reaches the site, stops
 *                                   runs until it ends, or waits for something that A holds
 *   goes on
 * </pre>
 *
 * <p>Nothing in these tests depends on luck or on the speed of the machine.
 */
package io.bg3.rules;
