/**
 * The command line {@code bg3}: one class a sub-command, none of which does more than read its
 * arguments, call the layers below and say what happened.
 *
 * <p>Exit codes: 0 is success, 1 means that the command ran and found or met a failure, 2 that it
 * was called wrongly. A server that is stopped by SIGTERM ends with 143, as the virtual machine
 * does. Errors are one message without a stack trace: what happened, where, and what to do.
 */
package io.bg3.cli;
