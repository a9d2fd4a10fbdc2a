/** The data that every system gets: a seeded power-law graph, its values, and what is asked. */
package io.bg3.bench.data;
