package io.bg3.server.metrics;

/**
 * How metrics are exported; by default they are not.
 *
 * @param jmx whether to export MBeans
 * @param host the address on which Prometheus reads the metrics
 * @param port the port for Prometheus, 0 for none
 */
public record MetricsSettings(boolean jmx, String host, int port) {
  /** Whether the metrics are exported for Prometheus. */
  public boolean isPrometheus() {
    return port != 0;
  }
}
