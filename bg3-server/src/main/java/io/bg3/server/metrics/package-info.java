/**
 * The metrics of a server and its store, exported through Micrometer as MBeans or in the text
 * format of Prometheus. Off by default.
 */
package io.bg3.server.metrics;
