/** What steps of several kinds need. */
package io.bg3.gremlin.process.traversal.step.util;
