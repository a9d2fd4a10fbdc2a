/**
 * The command line {@code bg3 linkbench}: one class a sub-command, none of which does more than
 * read its arguments, run a phase and say what came of it.
 */
package io.bg3.linkbench.cli;
