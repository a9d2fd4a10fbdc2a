/** Strategies that add to a traversal on a BG3 graph when its steps are those that run. */
package io.bg3.gremlin.process.traversal.strategy.finalization;
