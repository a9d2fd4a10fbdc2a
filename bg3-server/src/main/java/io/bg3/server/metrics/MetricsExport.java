package io.bg3.server.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.jmx.JmxConfig;
import io.micrometer.jmx.JmxMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * Shows the figures that are registered here in the ways that the settings ask for. Where they ask
 * for none, whatever counts here costs nothing.
 *
 * <p>Threads: any.
 */
public final class MetricsExport implements AutoCloseable {
  private static final String DOMAIN = "bg3";

  private final CompositeMeterRegistry all = new CompositeMeterRegistry();
  private final PrometheusMeterRegistry prometheus;

  /** Shows nothing yet. */
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

  /** Where to register. */
  public MeterRegistry registry() {
    return all;
  }

  /** Whether anybody can see what is registered. */
  public boolean isShown() {
    return !all.getRegistries().isEmpty();
  }

  /**
   * Everything, in the text format that Prometheus reads.
   *
   * @throws IllegalStateException if it was not asked for
   */
  public String scrape() {
    if (prometheus == null) {
      throw new IllegalStateException("there are no figures for Prometheus");
    }
    return prometheus.scrape();
  }

  /** Takes the MBeans away. */
  @Override
  public void close() {
    all.getRegistries().forEach(MeterRegistry::close);
    all.close();
  }

  /** All MBeans under one name, all other settings as they are. */
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
