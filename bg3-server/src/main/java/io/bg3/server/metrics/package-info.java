/**
 * The figures of a server and its store, through Micrometer: as MBeans, or in the text that
 * Prometheus reads. Off unless asked for.
 */
package io.bg3.server.metrics;
