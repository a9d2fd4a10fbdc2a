package io.bg3.server.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.jmx.JmxConfig;
import io.micrometer.jmx.JmxMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * Exports the registered metrics through JMX and Prometheus, as the settings require. If they
 * require neither, counting has no cost.
 *
 * <p>Threads: any.
 */
public final class MetricsExport implements AutoCloseable {
  private static final String DOMAIN = "bg3";

  private final CompositeMeterRegistry all = new CompositeMeterRegistry();
  private final PrometheusMeterRegistry prometheus;

  /** Creates an export without metrics. */
  public MetricsExport(MetricsSettings settings) {
    if (settings.jmx()) {
      all.add(new JmxMeterRegistry(new Domain(), Clock.SYSTEM));
    }
    prometheus =
        settings.isPrometheus() ? new PrometheusMeterRegistry(PrometheusConfig.DEFAULT) : null;
    if (prometheus != null) {
      all.add(prometheus);
    }
  }

  /** The registry for metrics. */
  public MeterRegistry registry() {
    return all;
  }

  /** Whether the settings require any export. */
  public boolean isShown() {
    return !all.getRegistries().isEmpty();
  }

  /**
   * Returns all metrics in the text format of Prometheus.
   *
   * @throws IllegalStateException if the settings do not require Prometheus
   */
  public String scrape() {
    if (prometheus == null) {
      throw new IllegalStateException("the metrics are not exported for Prometheus");
    }
    return prometheus.scrape();
  }

  /** Unregisters the MBeans. */
  @Override
  public void close() {
    all.getRegistries().forEach(MeterRegistry::close);
    all.close();
  }

  /** Puts all MBeans into one domain and keeps the other defaults. */
  private static final class Domain implements JmxConfig {
    @Override
    public String get(String key) {
      return null;
    }

    @Override
    public String domain() {
      return DOMAIN;
    }
  }
}
