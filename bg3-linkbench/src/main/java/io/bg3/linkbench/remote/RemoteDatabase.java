package io.bg3.linkbench.remote;

import io.bg3.batch.BatchRequest;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.workload.Config;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;

/**
 * The store of a running {@code bin/bg3 server}. The state that sessions share has connections of
 * its own, {@link OperationBatcher}s'; everything else shares a pool, whose connections carry
 * several requests at once. The store holds what {@link io.bg3.linkbench.engine.EngineDatabase}
 * would put there.
 *
 * <p>Keys: {@code bg3.remote.host} (127.0.0.1), {@code bg3.remote.port} (8182), {@code
 * bg3.remote.connections} (8), {@code bg3.remote.batch} (500: rows of a load in a request, and
 * results in a message), {@code bg3.remote.gather} (64: operations of a run in a request; with 1
 * each has a request, and a service, of its own), {@code bg3.remote.requests} (2: requests with
 * gathered reads that are under way at once, and as many with gathered writes), {@code
 * bg3.remote.user}, {@code bg3.remote.password}, {@code bg3.remote.tls} (false; Java's certificates
 * are trusted).
 *
 * <p>Threads: any.
 */
public final class RemoteDatabase implements LinkDatabase {
  /** The prefix of the keys. */
  public static final String PREFIX = "bg3.remote.";

  private static final int MOST_CONNECTIONS = 1_024;
  private static final int MOST_GATHERED = BatchRequest.MAX_OPERATIONS;
  private static final int MOST_ROWS = 10_000;
  private static final int PATIENCE_MILLIS = 30_000;

  /** So long a shared request may be without an answer; less than Ctrl-C waits for a phase. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(25);

  private final Endpoint endpoint;
  private final int batch;
  private final int connections;
  private final Cluster cluster;
  private final ServiceClient server;
  private final LinkTexts texts = new LinkTexts();
  private final int gather;
  private final int requests;
  private final OperationBatcher reads;
  private final OperationBatcher writes;
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(RemoteDatabase::watching);
  private final Set<Long> declared = ConcurrentHashMap.newKeySet();

  /**
   * Connects.
   *
   * @throws LinkStoreException if there is no server, or it refuses the client
   */
  @SuppressWarnings("FutureReturnValueIgnored") // it ends with its thread
  public RemoteDatabase(Config config) {
    this.endpoint = Endpoint.of(config);
    this.batch = config.count(PREFIX + "batch", 500, 1, MOST_ROWS);
    this.connections = config.count(PREFIX + "connections", 8, 1, MOST_CONNECTIONS);
    this.gather = config.count(PREFIX + "gather", 64, 1, MOST_GATHERED);
    this.requests = config.count(PREFIX + "requests", 2, 1, MOST_CONNECTIONS);
    Cluster.Builder builder =
        Cluster.build(endpoint.host())
            .port(endpoint.port())
            .serializer(Serializers.GRAPHBINARY_V1)
            .minConnectionPoolSize(connections)
            .maxConnectionPoolSize(connections)
            .maxWaitForConnection(PATIENCE_MILLIS)
            .enableCompression(false) // takes more time than the bytes do
            .enableSsl(endpoint.tls());
    if (endpoint.user() != null) {
      builder.credentials(endpoint.user(), endpoint.password());
    }
    this.cluster = builder.create();
    this.server = new ServiceClient(cluster.connect(), batch);
    // apart, so that no read waits for the sync of another's write
    this.reads =
        new OperationBatcher(endpoint, BatchRequest.READ_SERVICE, texts.texts(), gather, requests);
    this.writes =
        new OperationBatcher(endpoint, BatchRequest.SERVICE, texts.texts(), gather, requests);
    watch.scheduleWithFixedDelay(this::hangUp, 1, 1, TimeUnit.SECONDS);
    try {
      server.call("bg3.nodes.get", Map.of("label", "0", "id", 1L));
    } catch (LinkStoreException e) {
      close();
      throw new LinkStoreException(
          "cannot use the server: address=" + endpoint + "\nIs 'bin/bg3 server' running there?", e);
    }
  }

  private static Thread watching(Runnable task) {
    Thread thread = new Thread(task, "linkbench-patience");
    thread.setDaemon(true);
    return thread;
  }

  private void hangUp() {
    reads.hangUpAfter(PATIENCE_NANOS);
    writes.hangUpAfter(PATIENCE_NANOS);
  }

  /** The address that tells this server from others. */
  public static String address(Config config) {
    return Endpoint.of(config).toString();
  }

  /** Makes the label of a type what links need, once. */
  void declare(long type) {
    if (declared.contains(type)) {
      return;
    }
    Map<String, Object> form = new HashMap<>();
    form.put("label", Long.toString(type));
    form.put("sortKey", "time");
    form.put("descending", true);
    form.put("loose", true);
    form.put("counted", true);
    server.call("bg3.links.declare", form);
    declared.add(type);
  }

  ServiceClient server() {
    return server;
  }

  int batch() {
    return batch;
  }

  @Override
  public LinkSession session() {
    return gather == 1 ? new RemoteSession(this) : new BatchingSession(this, reads, writes, texts);
  }

  @Override
  public String describe() {
    return "bg3, server at "
        + endpoint
        + ": connections="
        + connections
        + ", batch="
        + batch
        + ", gather="
        + gather
        + ", requests="
        + requests
        + " (durability is the server's)";
  }

  @Override
  public void settle() {}

  @Override
  public long bytesOnDisk() {
    return -1;
  }

  @Override
  public void close() {
    watch.shutdownNow();
    reads.close();
    writes.close();
    cluster.close();
  }
}
