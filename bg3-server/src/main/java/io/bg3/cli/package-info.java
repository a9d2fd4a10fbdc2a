/**
 * The command line {@code bg3}: one class for each sub-command, which reads its arguments, calls
 * the layers below and prints the result.
 *
 * <p>Exit codes: 0 is success, 1 means that the command found a failure, 2 that its arguments are
 * wrong. A server that SIGTERM stops exits with 143, as the JVM does. An error is one message
 * without a stack trace: what happened, where, and what to do.
 */
package io.bg3.cli;
