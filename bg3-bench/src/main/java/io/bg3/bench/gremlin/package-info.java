/** Measures the same traversals on several graph systems, each in a JVM of its own. */
package io.bg3.bench.gremlin;
