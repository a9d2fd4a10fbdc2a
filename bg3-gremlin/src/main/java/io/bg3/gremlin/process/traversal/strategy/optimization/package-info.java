/** Strategies that rewrite a traversal on a BG3 graph before it runs. */
package io.bg3.gremlin.process.traversal.strategy.optimization;
