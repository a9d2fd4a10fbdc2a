/** Steps at which a traversal starts. */
package io.bg3.gremlin.process.traversal.step.sideEffect;
