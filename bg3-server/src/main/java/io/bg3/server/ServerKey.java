package io.bg3.server;

import java.util.Arrays;
import java.util.List;

/**
 * The settings of the server, as they stand in a configuration file. Those of the store have names
 * of their own ({@code bg3.*}).
 */
public enum ServerKey {
  HOST(
      "server.host",
      "127.0.0.1",
      "address",
      "The address to listen on. The server refuses an address that is not a loopback"
          + " address, unless it has users and TLS or is started with --insecure."),
  PORT("server.port", 8182, 1, 65535, "port", "The port to listen on."),
  HTTP_PORT(
      "server.http.port",
      0,
      0,
      65535,
      "port",
      "The port for queries by plain HTTP, from curl and browsers. 0: no port. The address is that"
          + " of server.host."),
  USERS(
      "server.users",
      "",
      "file",
      "The file of the users, as 'bg3 user add' writes it. Without it the server requires"
          + " no login."),
  TLS_KEYSTORE(
      "server.tls.keystore",
      "",
      "file",
      "The PKCS12 keystore with the server's key and certificate. If it is set, drivers and"
          + " HTTP clients must use TLS 1.3 or 1.2."),
  TLS_PASSWORD(
      "server.tls.password", "", "text", "The password of the keystore and of the key in it."),
  HOSTS(
      "server.hosts",
      "",
      "names",
      "Host names by which clients reach the server, separated by commas. A server on a"
          + " loopback address, and a server without users and without TLS on any address,"
          + " answers only requests whose Host is an address, localhost, a name of this machine,"
          + " or one of these. On an address that is not a loopback address it also accepts a"
          + " name without a dot and a name that ends in .local or .internal. This protects"
          + " against web pages whose own host name resolves to the server."),
  AUDIT_FILE(
      "server.audit.file",
      "",
      "file",
      "The file of the audit log. It has every line, except some of many refused logins; a new file"
          + " begins each day and when one is full. Without the setting, the lines go where"
          + " conf/logback.xml sends bg3.audit, and only a number of them in ten seconds. The"
          + " server writes the audit log if it has users."),
  AUDIT_DAYS(
      "server.audit.days",
      90,
      1,
      36_500,
      "days",
      "How long the server keeps a file of the audit log."),
  AUDIT_BYTES(
      "server.audit.bytes",
      4_294_967_296L,
      1_048_576,
      1L << 50,
      "bytes",
      "The largest size of all files of the audit log; the server deletes the oldest files"
          + " beyond it."),
  LOG_FILE(
      "server.log.file",
      "",
      "file",
      "The file of the log, instead of the standard error; a new file begins each day and"
          + " when one is full. The messages of the start always go to the standard error."),
  LOG_DAYS(
      "server.log.days", 30, 1, 36_500, "days", "How long the server keeps a file of the log."),
  LOG_BYTES(
      "server.log.bytes",
      268_435_456,
      1_048_576,
      1L << 50,
      "bytes",
      "The largest size of all files of the log; the server deletes the oldest files beyond"
          + " it."),
  SLOW_FILE(
      "server.slow.file",
      "",
      "file",
      "The file of the slow-query log: a line of JSON for each query that has run for"
          + " server.slow.threshold or longer. Without the setting there is no slow-query log. A"
          + " new file begins each day and when one is full."),
  SLOW_THRESHOLD(
      "server.slow.threshold",
      1_000,
      0,
      86_400_000,
      "milliseconds",
      "How long a query has to run to be in the slow-query log. 0: there is no slow-query log."),
  SLOW_DAYS(
      "server.slow.days",
      30,
      1,
      36_500,
      "days",
      "How long the server keeps a file of the slow-query log."),
  SLOW_BYTES(
      "server.slow.bytes",
      268_435_456,
      1_048_576,
      1L << 50,
      "bytes",
      "The largest size of all files of the slow-query log; the server deletes the oldest files"
          + " beyond it."),
  TRACING_ENDPOINT(
      "server.tracing.endpoint",
      "",
      "url",
      "The address at which a collector of OpenTelemetry accepts spans by OTLP over HTTP, such as"
          + " http://localhost:4318/v1/traces. The server exports a span for each request that was"
          + " evaluated. Without the setting there are no spans."),
  TRACING_PERCENT(
      "server.tracing.percent",
      100,
      1,
      100,
      "percent",
      "The share of requests that have a span, chosen at random."),
  GRAPHS_RESERVE(
      "server.graphs.reserve",
      0,
      0,
      90,
      "percent",
      "The part of bg3.memory.budget that is kept for graphs that administrators create with"
          + " bg3.graphs.create. A share of one of such a graph has as many bytes as a share of one"
          + " of a graph in the configuration. 0: no graph can be created."),
  GRAPHS_DIRECTORY(
      "server.graphs.directory",
      "",
      "file",
      "The directory of the graphs that are created online. Without the setting, it is the"
          + " directory of the default graph's store with .graphs after its name."),
  METRICS_JMX(
      "server.metrics.jmx",
      "false",
      List.of("false", "true"),
      "Whether the metrics of server and store are MBeans of the JVM, under bg3."),
  PROMETHEUS_PORT(
      "server.metrics.prometheus.port",
      0,
      0,
      65535,
      "port",
      "The port on which Prometheus reads the metrics of server and store, at /metrics. 0: no"
          + " port."),
  PROMETHEUS_HOST(
      "server.metrics.prometheus.host",
      "127.0.0.1",
      "address",
      "The address of the port for Prometheus. Every client that reaches the address can read the"
          + " metrics, by plain HTTP and without a login."),
  EVALUATION_TIMEOUT(
      "server.evaluation.timeout",
      30_000,
      1,
      86_400_000,
      "milliseconds",
      "The longest time that a query may run. The server reduces a longer time that a request asks"
          + " for to this limit. It interrupts a query at the end of its time and rolls its"
          + " transaction back."),
  THREADS(
      "server.threads",
      0,
      0,
      1_024,
      "threads",
      "How many requests begin concurrently. 0 means one for each processor. A query that takes"
          + " longer than 50 ms of a processor, or 100 ms in all, leaves its place to other"
          + " requests and takes a place of server.long.queries. Every open transaction has an"
          + " additional thread of its own."),
  QUICK_READS(
      "server.quick.reads",
      200,
      0,
      100_000,
      "microseconds",
      "The event loops of the server run small traversals themselves that only read, or"
          + " write a little, if those of the same steps took less than this time of a"
          + " processor on average lately. Handing them to a thread takes longer. An event loop"
          + " has a millisecond for them in each turn, and hands over one that does not end"
          + " soon or would have to wait for anything but the sync of its commit, for which it"
          + " waits only if it is short. On a server with users, threads run all traversals that"
          + " write, because the audit log has to have them first. 0: threads run all queries."),
  LONG_QUERIES(
      "server.long.queries",
      0,
      0,
      4_096,
      "queries",
      "How many long queries run concurrently. 0 means eight for each processor, at least 16 and at"
          + " most 64. If there are more and other clients wait, the server ends one with 'too many"
          + " requests'. It ends the first that exists of these: the youngest query of an owner"
          + " that has two more than the newcomer's owner; a query that has run for 10 s; one of"
          + " the youngest quarter whose client has used more thread time; the newcomer. One"
          + " connection has at most half of the places and one more. Queries in transactions do"
          + " not count there. As many further queries may wait for the disk in their commits."),
  STUCK_LIMIT(
      "server.stuck.limit",
      16,
      1,
      4_096,
      "queries",
      "How many queries that do not end, although their time has been over for two seconds, the"
          + " server replaces by other threads. An owner with a quarter of them comes after the"
          + " others, and gets three quarters at most. When there are as many, /health says that"
          + " the server is not ready, so that a service manager can restart it."),
  QUEUE(
      "server.queue",
      1_024,
      1,
      1_000_000,
      "requests",
      "How many requests may wait for a thread. If there are more, the server answers the newest"
          + " request of the owner with the most waiting requests with 'too many requests'."),
  QUEUE_BYTES(
      "server.queue.bytes",
      0,
      0,
      1L << 40,
      "bytes",
      "How many bytes the requests that wait for a thread may have. 0 means a sixteenth of the"
          + " heap. The server stops reading from a connection with a sixty-fourth of these bytes,"
          + " or of the requests of server.queue, until half of them are gone."),
  DECODED_BYTES(
      "server.decoded.bytes",
      0,
      0,
      1L << 40,
      "bytes",
      "How much of the heap decoded requests may take until they have ended, by an estimate. 0"
          + " means an eighth of the heap. One owner has a quarter of the limit. The server answers"
          + " a further request with 'too many requests', unless the request takes up to 256 KiB"
          + " and belongs to no transaction."),
  UNREAD(
      "server.connection.unread",
      30_000,
      100,
      86_400_000,
      "milliseconds",
      "How long a connection may leave more than 64 KiB of its answers unread; then the server"
          + " closes it. Until then the server does not read from the connection."),
  UNREAD_BYTES(
      "server.unread.bytes",
      0,
      0,
      1L << 40,
      "bytes",
      "How many bytes of answers all clients together may leave unread. 0 means an eighth of the"
          + " heap, and room for the largest result. Above the limit, the server closes a"
          + " connection of the address with the most unread bytes."),
  TEXT_LIMIT(
      "server.text.limit",
      65_536,
      256,
      1_048_576,
      "characters",
      "The longest query that is sent as a text. Parsing cannot be interrupted, so the limit bounds"
          + " its time. server.content.limit is the limit of queries as bytecode."),
  TEXT_CACHE(
      "server.text.cache",
      8_388_608,
      0,
      1_073_741_824,
      "bytes",
      "Memory for the parse trees of query texts. The server does not parse a text again whose tree"
          + " it keeps. It keeps the trees of the texts that clients send most. Clients benefit"
          + " that send the values of a query as parameters. 0 keeps none."),
  NESTING_LIMIT(
      "server.nesting.limit",
      200,
      10,
      500,
      "levels",
      "How deeply the brackets of a text, and the values of a message, may be nested."),
  STEPS_LIMIT(
      "server.steps.limit",
      2_000,
      10,
      100_000,
      "steps",
      "The most steps of one query, including those of nested traversals. Compiling cannot be"
          + " interrupted and takes time by the square of the steps."),
  ROWS_LIMIT(
      "server.rows.limit",
      1_000_000,
      1,
      Integer.MAX_VALUE,
      "results",
      "The most results of one query. A query with more results fails when it reaches the"
          + " limit, and its transaction is rolled back."),
  VALUE_LIMIT(
      "server.value.limit",
      1_048_576,
      1_024,
      1_073_741_824,
      "characters",
      "The largest value that one step may create from smaller ones: the characters of a"
          + " text, and four for each element of a list, a set or a map. A value with all its"
          + " parts may be 16 times as large before it is nested, hashed or sent. Numbers have at"
          + " most 10,000 digits. A query that exceeds the limit fails and its transaction is"
          + " rolled back."),
  HEAP_LIMIT(
      "server.heap.limit",
      60,
      20,
      95,
      "percent",
      "How full of live data the Java heap may be. Above the limit, the server interrupts the query"
          + " that has allocated most, and rolls its transaction back, before the memory runs"
          + " out."),
  CONNECTIONS(
      "server.connections",
      1_024,
      1,
      65_536,
      "connections",
      "The most connections at once. If there is one more, the server closes the connection that"
          + " has been open for the longest time without a request. If every connection has sent a"
          + " request, it closes one whose password is being compared, and otherwise the new one."
          + " HTTP counts its own connections."),
  CONNECTIONS_SHARE(
      "server.connections.share",
      75,
      1,
      100,
      "percent",
      "The share of server.connections that one address may have, including a loopback address. For"
          + " IPv6 the first 64 bits count as the address. A share below 100 leaves room for other"
          + " clients, and for an operator if an application uses its whole share. If all clients"
          + " come through one proxy, set 100."),
  HANDSHAKE_TIMEOUT(
      "server.handshake.timeout",
      10_000,
      100,
      600_000,
      "milliseconds",
      "How long a new connection may take to become a WebSocket; then the server closes it."),
  LOGIN_TIMEOUT(
      "server.login.timeout",
      60_000,
      100,
      86_400_000,
      "milliseconds",
      "How long a WebSocket may take to send name and password, if the server has users; then the"
          + " server closes it. Drivers send name and password with their first request, and open"
          + " another connection for a later one."),
  IDLE_TIMEOUT(
      "server.connection.idle",
      1_800_000,
      1_000,
      86_400_000,
      "milliseconds",
      "How long a connection may stay without any message, including pings, until the"
          + " server closes it."),
  HEADER_LIMIT(
      "server.header.limit",
      8_192,
      1_024,
      1_048_576,
      "bytes",
      "The largest header of the request that begins a connection."),
  STRICT_TRANSACTIONS(
      "server.strict.transactions",
      0,
      0,
      1,
      "0 or 1",
      "1: Gremlin Server's strictTransactionManagement is on, so a text outside of a transaction"
          + " has to name its traversal source (alias g). 0: a text without an alias is for the"
          + " default graph. A request commits only its own graph in either case."),
  SESSIONS(
      "server.sessions",
      128,
      1,
      65_536,
      "sessions",
      "The most client transactions at once. Each has a thread. The server answers further ones"
          + " with 'too many requests'."),
  SESSIONS_SHARE(
      "server.sessions.share",
      75,
      1,
      100,
      "percent",
      "The share of server.sessions that one user may have, or one address if there are no"
          + " users. A connection may have a quarter of server.sessions. If all clients are one"
          + " user, set 100."),
  USER_QUERIES(
      "server.user.queries",
      0,
      0,
      65_536,
      "count",
      "How many queries of one user, or of one address if there are no users, run concurrently. 0:"
          + " only server.threads and server.long.queries limit them. Further queries of the user"
          + " wait. Queries in transactions do not count. 'bg3 user limit NAME --queries' sets"
          + " another number for a user."),
  USER_MEMORY(
      "server.user.memory",
      0,
      0,
      1L << 50,
      "bytes",
      "The bytes that one query may allocate on the heap, garbage included. 0: no limit. The server"
          + " ends a query that has allocated more. bg3.queries shows the bytes that a query has"
          + " allocated. 'bg3 user limit NAME --memory' sets another number for the queries of a"
          + " user."),
  SESSION_LIFE(
      "server.session.life",
      600_000,
      1_000,
      86_400_000,
      "milliseconds",
      "How long a client's transaction may live, busy or idle. Then the server rolls it"
          + " back and closes its session."),
  SESSION_QUEUE(
      "server.session.queue",
      64,
      1,
      65_536,
      "requests",
      "How many requests may wait within one session. The server answers further ones with"
          + " 'too many requests'."),
  SESSION_TIMEOUT(
      "server.session.timeout",
      60_000,
      1_000,
      86_400_000,
      "milliseconds",
      "How long a client's transaction may be idle. Then the server rolls it back and"
          + " closes its session."),
  CONTENT_LIMIT(
      "server.content.limit", 1_048_576, 1_024, 1_073_741_824, "bytes", "The largest request."),
  BATCH(
      "server.batch",
      64,
      1,
      65_536,
      "results",
      "How many results one message to a client holds, unless the request sets another"
          + " number."),
  GRACE(
      "server.shutdown.grace",
      2_000,
      0,
      600_000,
      "milliseconds",
      "How long running requests may continue, and clients may end their open transactions,"
          + " when the server is stopped. Then the server interrupts the requests and refuses"
          + " waiting ones.");

  private final String key;
  private final String standard;
  private final long least;
  private final long most;
  private final String choices;
  private final String unit;
  private final String text;

  ServerKey(String key, String standard, String unit, String text) {
    this.key = key;
    this.standard = standard;
    this.least = 0;
    this.most = -1;
    this.choices = "";
    this.unit = unit;
    this.text = text;
  }

  ServerKey(String key, String standard, List<String> choices, String text) {
    this.key = key;
    this.standard = standard;
    this.least = 0;
    this.most = -1;
    this.choices = String.join(" | ", choices);
    this.unit = "text";
    this.text = text;
  }

  ServerKey(String key, long standard, long least, long most, String unit, String text) {
    this.key = key;
    this.standard = Long.toString(standard);
    this.least = least;
    this.most = most;
    this.choices = "";
    this.unit = unit;
    this.text = text;
  }

  /** The name in a configuration file. */
  public String key() {
    return key;
  }

  /** The value that holds when the file says nothing. */
  public String standard() {
    return standard;
  }

  /** The unit of the value, or its kind. */
  public String unit() {
    return unit;
  }

  /** The description of the setting, in sentences. */
  public String text() {
    return text;
  }

  /** The values that are taken, for people. */
  public String range() {
    if (isNumber()) {
      return least + " to " + most;
    }
    return choices.isEmpty() ? "any" : choices;
  }

  boolean isNumber() {
    return least <= most;
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(ServerKey::key).toList();
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is none of the choices
   */
  String text(String value) {
    String text = value.trim();
    if (!choices.isEmpty() && !Arrays.asList(choices.split(" \\| ", -1)).contains(text)) {
      throw new IllegalArgumentException(
          "setting has an unknown value: key=" + key + ", value=" + value + ", choices=" + range());
    }
    return text;
  }

  /**
   * Reads a number.
   *
   * @throws IllegalArgumentException if it is none, or out of range
   */
  long number(String value) {
    long number;
    try {
      number = Long.parseLong(value.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "setting is not a whole number: key=" + key + ", value=" + value + ", range=" + range(),
          e);
    }
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "setting is out of range: key=" + key + ", value=" + value + ", range=" + range());
    }
    return number;
  }
}
