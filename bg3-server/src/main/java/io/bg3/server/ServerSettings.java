package io.bg3.server;

import io.bg3.server.guard.Limits;
import java.util.Map;

/**
 * What the server was told; {@link ServerKey} says what each means. All times are milliseconds, all
 * sizes bytes.
 *
 * @param threads how many queries run at once, never 0
 */
public record ServerSettings(
    String host,
    int port,
    long evaluationTimeout,
    int threads,
    int queue,
    long sessionTimeout,
    int contentLimit,
    int batch,
    long grace) {

  /**
   * Reads what a file says and takes the default for the rest.
   *
   * @throws IllegalArgumentException if a value is not of its range
   */
  public static ServerSettings of(Map<String, String> values) {
    int threads = (int) number(ServerKey.THREADS, values);
    return new ServerSettings(
        values.getOrDefault(ServerKey.HOST.key(), ServerKey.HOST.standard()).trim(),
        (int) number(ServerKey.PORT, values),
        number(ServerKey.EVALUATION_TIMEOUT, values),
        threads == 0 ? Runtime.getRuntime().availableProcessors() : threads,
        (int) number(ServerKey.QUEUE, values),
        number(ServerKey.SESSION_TIMEOUT, values),
        (int) number(ServerKey.CONTENT_LIMIT, values),
        (int) number(ServerKey.BATCH, values),
        number(ServerKey.GRACE, values));
  }

  /** What a client may ask for and take up. */
  Limits limits() {
    return new Limits(evaluationTimeout);
  }

  private static long number(ServerKey key, Map<String, String> values) {
    return key.number(values.getOrDefault(key.key(), key.standard()));
  }
}
