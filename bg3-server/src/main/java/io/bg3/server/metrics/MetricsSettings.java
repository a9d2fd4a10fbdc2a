package io.bg3.server.metrics;

/**
 * Where figures are shown; nowhere unless asked for.
 *
 * @param jmx whether as MBeans of this virtual machine
 * @param host where Prometheus reads them
 * @param port the port of it, 0 for none
 */
public record MetricsSettings(boolean jmx, String host, int port) {
  /** Whether Prometheus reads them. */
  public boolean isPrometheus() {
    return port != 0;
  }
}
