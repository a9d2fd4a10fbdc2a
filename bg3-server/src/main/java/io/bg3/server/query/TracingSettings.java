package io.bg3.server.query;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * The settings of the export of spans.
 *
 * @param endpoint where a collector takes spans by OTLP over HTTP; empty if none are exported
 * @param percent the share of requests that have a span, 1 to 100
 */
public record TracingSettings(Optional<URI> endpoint, int percent) {
  /**
   * Checks the address.
   *
   * @throws IllegalArgumentException if it is not one of HTTP
   */
  public TracingSettings {
    endpoint.ifPresent(TracingSettings::requireHttp);
  }

  private static void requireHttp(URI endpoint) {
    String scheme = String.valueOf(endpoint.getScheme()).toLowerCase(Locale.ROOT);
    if (endpoint.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new IllegalArgumentException(
          "setting is not an HTTP address: key=server.tracing.endpoint, value="
              + endpoint
              + ", example=http://localhost:4318/v1/traces");
    }
  }
}
