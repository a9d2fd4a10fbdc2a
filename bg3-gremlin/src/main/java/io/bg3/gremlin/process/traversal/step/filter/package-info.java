/** Steps that let traversers pass, named after TinkerPop's. */
package io.bg3.gremlin.process.traversal.step.filter;
