/** JMH benchmarks of the engine's parts; {@code bin/bg3 bench jmh} runs them. */
package io.bg3.bench.parts;
