/** Checks of a traversal on a BG3 graph after everything else has rewritten it. */
package io.bg3.gremlin.process.traversal.strategy.verification;
