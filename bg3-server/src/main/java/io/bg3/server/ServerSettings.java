package io.bg3.server;

import io.bg3.server.access.AccessSettings;
import io.bg3.server.connection.ConnectionLimits;
import io.bg3.server.dispatch.OwnerLimits;
import io.bg3.server.dispatch.SchedulerLimits;
import io.bg3.server.guard.Limits;
import io.bg3.server.log.RotatedFile.Retention;
import io.bg3.server.metrics.MetricsSettings;
import io.bg3.server.query.SlowQuerySettings;
import io.bg3.server.query.TracingSettings;
import io.bg3.server.request.ShareLimits;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The values of the settings; {@link ServerKey} says what each means. All times are milliseconds,
 * all sizes bytes.
 *
 * @param httpPort 0 if no queries come by plain HTTP
 * @param threads how many queries run at once, never 0
 * @param header the largest HTTP header
 * @param strictTransactions whether a text has to name its source
 * @param idle how long a connection may be silent
 * @param limits what a client may ask for and take up
 * @param scheduling how many requests run and wait
 * @param connectionLimits what one connection may make the server keep
 * @param textCache memory for parse trees of query texts
 * @param decodedBytes heap for requests that are decoded
 * @param graphsReserve percent of the memory budget for graphs that are created online
 * @param graphsDirectory of those graphs; empty for one beside the default graph's
 * @param quickNanos processor time of traversals that event loops run, 0 if they run none
 * @param unreadBytes memory for the answers that all clients have not read
 */
public record ServerSettings(
    String host,
    int port,
    int httpPort,
    AccessSettings access,
    MetricsSettings metrics,
    SlowQuerySettings slowQueries,
    TracingSettings tracing,
    long evaluationTimeout,
    int threads,
    int contentLimit,
    int batch,
    int header,
    boolean strictTransactions,
    long idle,
    Limits limits,
    SchedulerLimits scheduling,
    ConnectionLimits connectionLimits,
    long textCache,
    long decodedBytes,
    long quickNanos,
    long unreadBytes,
    int heapPercent,
    long grace,
    int graphsReserve,
    Optional<Path> graphsDirectory) {

  /** The most results that a request may ask for in one message. */
  private static final int LARGE_BATCH = 1_024;

  /** Requests that take long, for each processor, and in all. */
  private static final int LONG_QUERIES = 8;

  private static final int LEAST_LONG_QUERIES = 16;
  private static final int MOST_LONG_QUERIES = 64;

  /** Parts of the heap for requests that wait, and for those that are decoded. */
  private static final int QUEUE_PART = 16;

  private static final int DECODED_PART = 8;

  /** The part of the heap's size for answers that are not read. */
  private static final int UNREAD_PART = 8;

  /** Bytes of the largest result, for a character of the largest value: 16 values of 3 bytes. */
  private static final int RESULT = 48;

  /** Connections that fill the queue together. */
  private static final int BACKLOGS = 64;

  /**
   * Reads what a file says and takes the default for the rest.
   *
   * @throws IllegalArgumentException if a value is not of its range
   */
  public static ServerSettings of(Map<String, String> values) {
    return new ServerSettings(
        text(ServerKey.HOST, values),
        (int) number(ServerKey.PORT, values),
        (int) number(ServerKey.HTTP_PORT, values),
        access(values),
        new MetricsSettings(
            Boolean.parseBoolean(text(ServerKey.METRICS_JMX, values)),
            text(ServerKey.PROMETHEUS_HOST, values),
            (int) number(ServerKey.PROMETHEUS_PORT, values)),
        new SlowQuerySettings(
            file(ServerKey.SLOW_FILE, values),
            new Retention(
                (int) number(ServerKey.SLOW_DAYS, values), number(ServerKey.SLOW_BYTES, values)),
            number(ServerKey.SLOW_THRESHOLD, values)),
        tracing(values),
        number(ServerKey.EVALUATION_TIMEOUT, values),
        threads(values),
        (int) number(ServerKey.CONTENT_LIMIT, values),
        (int) number(ServerKey.BATCH, values),
        (int) number(ServerKey.HEADER_LIMIT, values),
        number(ServerKey.STRICT_TRANSACTIONS, values) == 1,
        number(ServerKey.IDLE_TIMEOUT, values),
        limits(values),
        scheduling(values),
        new ConnectionLimits(queueBytes(values) / BACKLOGS, number(ServerKey.UNREAD, values)),
        number(ServerKey.TEXT_CACHE, values),
        bytes(ServerKey.DECODED_BYTES, DECODED_PART, values),
        TimeUnit.MICROSECONDS.toNanos(number(ServerKey.QUICK_READS, values)),
        unreadBytes(values),
        (int) number(ServerKey.HEAP_LIMIT, values),
        number(ServerKey.GRACE, values),
        (int) number(ServerKey.GRAPHS_RESERVE, values),
        file(ServerKey.GRAPHS_DIRECTORY, values));
  }

  private static TracingSettings tracing(Map<String, String> values) {
    String endpoint = text(ServerKey.TRACING_ENDPOINT, values);
    try {
      return new TracingSettings(
          endpoint.isEmpty() ? Optional.empty() : Optional.of(new URI(endpoint)),
          (int) number(ServerKey.TRACING_PERCENT, values));
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "setting is not an address: key="
              + ServerKey.TRACING_ENDPOINT.key()
              + ", value="
              + endpoint,
          e);
    }
  }

  private static AccessSettings access(Map<String, String> values) {
    return new AccessSettings(
        file(ServerKey.USERS, values),
        file(ServerKey.TLS_KEYSTORE, values),
        text(ServerKey.TLS_PASSWORD, values),
        names(text(ServerKey.HOSTS, values)),
        number(ServerKey.LOGIN_TIMEOUT, values),
        new ShareLimits(
            (int) number(ServerKey.CONNECTIONS_SHARE, values),
            (int) number(ServerKey.SESSIONS_SHARE, values)),
        new OwnerLimits(
            0, (int) number(ServerKey.USER_QUERIES, values), number(ServerKey.USER_MEMORY, values)),
        file(ServerKey.AUDIT_FILE, values),
        new Retention(
            (int) number(ServerKey.AUDIT_DAYS, values), number(ServerKey.AUDIT_BYTES, values)),
        file(ServerKey.LOG_FILE, values),
        new Retention(
            (int) number(ServerKey.LOG_DAYS, values), number(ServerKey.LOG_BYTES, values)));
  }

  private static Set<String> names(String list) {
    return Arrays.stream(list.split(",", -1))
        .map(name -> name.strip().toLowerCase(Locale.ROOT))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static int threads(Map<String, String> values) {
    int threads = (int) number(ServerKey.THREADS, values);
    return threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
  }

  private static SchedulerLimits scheduling(Map<String, String> values) {
    int longQueries = (int) number(ServerKey.LONG_QUERIES, values);
    int standard = LONG_QUERIES * Runtime.getRuntime().availableProcessors();
    return new SchedulerLimits(
        threads(values),
        longQueries == 0
            ? Math.min(MOST_LONG_QUERIES, Math.max(LEAST_LONG_QUERIES, standard))
            : longQueries,
        (int) number(ServerKey.STUCK_LIMIT, values),
        (int) number(ServerKey.QUEUE, values),
        queueBytes(values),
        number(ServerKey.EVALUATION_TIMEOUT, values));
  }

  private static long queueBytes(Map<String, String> values) {
    return bytes(ServerKey.QUEUE_BYTES, QUEUE_PART, values);
  }

  /** Room for the largest result at least: a client that reads it is not closed. */
  private static long unreadBytes(Map<String, String> values) {
    return number(ServerKey.UNREAD_BYTES, values) == 0
        ? Math.max(
            bytes(ServerKey.UNREAD_BYTES, UNREAD_PART, values),
            RESULT * number(ServerKey.VALUE_LIMIT, values))
        : number(ServerKey.UNREAD_BYTES, values);
  }

  /** A setting that is a part of the heap where it is 0. */
  private static long bytes(ServerKey key, int part, Map<String, String> values) {
    long bytes = number(key, values);
    return bytes == 0 ? Runtime.getRuntime().maxMemory() / part : bytes;
  }

  private static Limits limits(Map<String, String> values) {
    return new Limits(
        number(ServerKey.EVALUATION_TIMEOUT, values),
        (int) number(ServerKey.NESTING_LIMIT, values),
        (int) number(ServerKey.TEXT_LIMIT, values),
        (int) number(ServerKey.STEPS_LIMIT, values),
        Math.max(LARGE_BATCH, (int) number(ServerKey.BATCH, values)),
        (int) number(ServerKey.CONTENT_LIMIT, values),
        (int) number(ServerKey.CONNECTIONS, values),
        number(ServerKey.HANDSHAKE_TIMEOUT, values),
        (int) number(ServerKey.SESSIONS, values),
        number(ServerKey.SESSION_LIFE, values),
        number(ServerKey.SESSION_TIMEOUT, values),
        (int) number(ServerKey.SESSION_QUEUE, values),
        number(ServerKey.ROWS_LIMIT, values),
        number(ServerKey.VALUE_LIMIT, values));
  }

  private static Optional<Path> file(ServerKey key, Map<String, String> values) {
    return Optional.of(text(key, values)).filter(text -> !text.isEmpty()).map(Path::of);
  }

  private static String text(ServerKey key, Map<String, String> values) {
    return key.text(values.getOrDefault(key.key(), key.standard()));
  }

  private static long number(ServerKey key, Map<String, String> values) {
    return key.number(values.getOrDefault(key.key(), key.standard()));
  }
}
