/** Helpers that steps of several kinds share. */
package io.bg3.gremlin.process.traversal.step.util;
