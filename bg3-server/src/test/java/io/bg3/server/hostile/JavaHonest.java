package io.bg3.server.hostile;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;

/** Honest clients in Java: a reader and a writer, each with a connection and a thread. */
public final class JavaHonest implements AutoCloseable {
  private static final long PAUSE_MILLIS = 25;
  private static final String NAME = "java";

  private final Ledger ledger = new Ledger();
  private final Cluster reader;
  private final Cluster writer;
  private final List<Thread> threads;
  private volatile boolean stopped;

  /** Starts both. */
  public JavaHonest(Target target) {
    this.reader = cluster(target, Target.READER);
    this.writer = cluster(target, Target.WRITER);
    this.threads =
        List.of(new Thread(this::read, "honest reader"), new Thread(this::write, "honest writer"));
    threads.forEach(Thread::start);
  }

  /** A connection for a user, or for anybody where there are no users. */
  public static Cluster cluster(Target target, String user) {
    Cluster.Builder builder =
        Cluster.build("127.0.0.1")
            .port(target.port())
            .minConnectionPoolSize(1)
            .maxConnectionPoolSize(1)
            .maxWaitForConnection(60_000)
            .connectionSetupTimeoutMillis(60_000);
    return target.users()
        ? builder.credentials(user, Target.password(user)).create()
        : builder.create();
  }

  /** Queries through it. */
  public static GraphTraversalSource source(Cluster cluster) {
    return AnonymousTraversalSource.traversal().with(DriverRemoteConnection.using(cluster, "g"));
  }

  /** The outcomes that they were told. */
  public Ledger ledger() {
    return ledger;
  }

  private void read() {
    GraphTraversalSource g = source(reader);
    Client client = reader.connect();
    List<Map<String, Object>> people =
        g.V().hasLabel("person").limit(50).<Object>project("id", "n").by(T.id).by("n").toList();
    for (int i = 0; !stopped; i++) {
      Map<String, Object> person = people.get(i % people.size());
      Object id = person.get("id");
      switch (i % 3) {
        case 0 -> ask("read", i, number -> g.V(id).values("n").next().equals(person.get("n")));
        case 1 ->
            ask(
                "read",
                i,
                number -> g.V(id).out("knows").limit(10).values("n").toList().size() > 0);
        default ->
            ask(
                "read",
                i,
                number ->
                    client
                        .submit("g.V(" + id + ").values('n')")
                        .one()
                        .getObject()
                        .equals(person.get("n")));
      }
    }
  }

  private void write() {
    GraphTraversalSource g = source(writer);
    for (int i = 0; !stopped; i++) {
      ask(
          "write",
          i,
          number -> {
            g.addV("honest").property("by", NAME).property("i", number).iterate();
            return true;
          });
    }
  }

  private void ask(String what, int number, IntFunction<Boolean> request) {
    long start = System.currentTimeMillis();
    long nanos = System.nanoTime();
    String outcome;
    try {
      outcome = request.apply(number) ? Ledger.OK : "wrong";
    } catch (RuntimeException e) {
      outcome = outcome(e);
    }
    ledger.add(
        what, start, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos), outcome, number);
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      stopped = true;
    }
  }

  private static String outcome(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ResponseException answer) {
        return Integer.toString(answer.getResponseStatusCode().getValue());
      }
    }
    return Ledger.LOST;
  }

  /** Ends both behind their last requests. */
  public void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Override
  public void close() {
    stopped = true;
    var unused = reader.closeAsync();
    var unusedToo = writer.closeAsync();
  }
}
