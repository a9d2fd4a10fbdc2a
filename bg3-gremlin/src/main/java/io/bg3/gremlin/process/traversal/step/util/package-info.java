/** Helpers that steps of several kinds share, and the reads that steps ask of a graph. */
package io.bg3.gremlin.process.traversal.step.util;
