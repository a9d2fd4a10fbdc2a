package io.bg3.server.query;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.access.Access;
import io.bg3.server.log.ClientLog;
import io.bg3.server.request.RunningQueries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The services {@code bg3.queries}, which lists the requests that run or wait, and {@code
 * bg3.queries.kill}, which ends one.
 *
 * <ul>
 *   <li>An administrator sees and ends the requests of all users.
 *   <li>Another user sees its own, and ends them if it may write. The number of another user's
 *       request is answered as one that does not exist.
 *   <li>On a server without users nobody is an administrator, and an address stands for a user: the
 *       clients of one address see and end the requests of that address alone.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class QueryServices {
  /** Requests in one answer. */
  private static final int MOST = 1_000;

  private static final String LIST = "bg3.queries";
  private static final String KILL = "bg3.queries.kill";
  private static final String ID = "id";

  private final Supplier<Map<Thread, Long>> snapshots;
  private final RunningQueries queries;
  private final Callers callers;
  private final Access access;
  private final ClientLog log;

  private QueryServices(
      Supplier<Map<Thread, Long>> snapshots,
      RunningQueries queries,
      Callers callers,
      Access access,
      ClientLog log) {
    this.snapshots = snapshots;
    this.queries = queries;
    this.callers = callers;
    this.access = access;
    this.log = log;
  }

  /**
   * Offers the services to the clients of a graph.
   *
   * @param snapshots how long each thread has held a snapshot of any graph, in milliseconds
   * @param callers of the services
   */
  public static void register(
      Bg3Graph graph,
      Supplier<Map<Thread, Long>> snapshots,
      RunningQueries queries,
      Callers callers,
      Access access,
      ClientLog log) {
    QueryServices services = new QueryServices(snapshots, queries, callers, access, log);
    Bg3Services.registerReading(graph, LIST, Map.of(), parameters -> services.list());
    Bg3Services.registerWriting(
        graph, KILL, Map.of(ID, "the id of the query, as bg3.queries shows it"), services::kill);
  }

  private List<Map<String, Object>> list() {
    Map<Thread, Long> millis = snapshots.get();
    Callers.Caller caller = callers.caller();
    List<Map<String, Object>> rows = new ArrayList<>();
    for (RunningQueries.Info query : queries.list(MOST, caller::maySee)) {
      if (query.graph().isEmpty() || caller.mayRead(query.graph())) {
        rows.add(row(query, millis));
      }
    }
    return rows;
  }

  private static Map<String, Object> row(RunningQueries.Info query, Map<Thread, Long> snapshots) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(ID, query.number());
    row.put("state", query.state());
    row.put("graph", query.graph());
    row.put("user", query.owner());
    row.put("address", query.address());
    row.put("ageMillis", query.ageMillis());
    query.allocatedBytes().ifPresent(bytes -> row.put("allocatedBytes", bytes));
    Long snapshot = query.thread() == null ? null : snapshots.get(query.thread());
    if (snapshot != null) {
      row.put("snapshotMillis", snapshot);
    }
    row.put("query", query.query());
    return row;
  }

  private List<Boolean> kill(Map<?, ?> parameters) {
    long number = number(parameters.get(ID));
    Callers.Caller caller = callers.caller();
    Optional<String> killed = queries.kill(number, caller::maySee);
    access.audit().killed(caller.owner(), caller.channel(), number, killed);
    if (access.logins().isEmpty() && killed.isPresent()) { // the audit log is off
      log.warn("query killed by a client", caller.channel(), "id=" + number);
    }
    return List.of(killed.isPresent());
  }

  private static long number(Object id) {
    if (id instanceof Long || id instanceof Integer) {
      return ((Number) id).longValue();
    }
    throw new IllegalArgumentException(
        "parameter is not the id of a query: service=" + KILL + ", parameter=" + ID);
  }
}
