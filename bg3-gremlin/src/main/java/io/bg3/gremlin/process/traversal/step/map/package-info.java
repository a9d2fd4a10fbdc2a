/** Steps that answer one thing for each that comes in. */
package io.bg3.gremlin.process.traversal.step.map;
