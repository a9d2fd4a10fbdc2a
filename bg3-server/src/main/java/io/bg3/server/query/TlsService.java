package io.bg3.server.query;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.access.ReloadedTls;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The service {@code bg3.tls.reload}, by which an administrator has the keystore read at once. It
 * answers when the new certificate expires.
 *
 * <p>Threads: any.
 */
public final class TlsService {
  private static final String NAME = "bg3.tls.reload";

  private TlsService() {}

  /**
   * Offers the service to the clients of a server.
   *
   * @param tls empty if the server has none
   */
  public static void register(Bg3Graph graph, Callers callers, Optional<ReloadedTls> tls) {
    Bg3Services.registerWriting(graph, NAME, Map.of(), unused -> reload(callers, tls));
  }

  private static List<String> reload(Callers callers, Optional<ReloadedTls> tls) {
    callers.requireAdministrator(NAME);
    if (tls.isEmpty()) {
      throw new IllegalArgumentException("the server has no TLS: service=" + NAME);
    }
    try {
      return List.of(tls.get().reload().toString());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the server keeps the earlier TLS certificate: " + e.getMessage(), e);
    }
  }
}
