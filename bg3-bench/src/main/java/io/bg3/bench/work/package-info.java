/** The works: what each process does with one system and measures. */
package io.bg3.bench.work;
