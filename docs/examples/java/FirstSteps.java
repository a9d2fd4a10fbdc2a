import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * First steps with org.apache.tinkerpop:gremlin-driver. Arguments: host and port of the server, if they are not 127.0.0.1 and
 * 8182.
 *
 * <p>Everything that it adds has the label 'explorer' or 'met'; it drops all of it at the end.
 */
public class FirstSteps {
  private static final int CONFLICT = 596;
  private static final int ATTEMPTS = 10;

  public static void main(String[] arguments) throws InterruptedException {
    String host = arguments.length > 0 ? arguments[0] : "127.0.0.1";
    int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 8182;
    Cluster cluster = Cluster.build(host).port(port).create();
    GraphTraversalSource g = traversal().with(DriverRemoteConnection.using(cluster, "g"));

    System.out.println("add");
    Vertex ada = g.addV("explorer").property("name", "Ada").next();
    Vertex bob = g.addV("explorer").property("name", "Bob").next();
    g.V(ada).addE("met").to(__.V(bob)).property("since", 1833).iterate();

    System.out.println("query");
    System.out.println(g.V().has("explorer", "name", "Ada").out("met").values("name").toList());

    System.out.println("a transaction, visible outside after its commit");
    Transaction tx = g.tx();
    GraphTraversalSource inside = tx.begin();
    Vertex charles = inside.addV("explorer").property("name", "Charles").next();
    System.out.println("inside " + explorers(inside) + " outside " + explorers(g));
    tx.commit();
    System.out.println("outside " + explorers(g));

    System.out.println("roll back");
    tx = g.tx();
    inside = tx.begin();
    inside.V().hasLabel("explorer").drop().iterate();
    tx.rollback();
    System.out.println("still " + explorers(g));

    System.out.println("an error");
    fails(() -> g.V(ada).values("name").fail("on purpose").iterate());

    System.out.println("a time-out");
    fails(
        () ->
            g.with("evaluationTimeout", 200L)
                .inject(1)
                .repeat(__.identity())
                .until(__.is(-1))
                .iterate());

    System.out.println("a conflict");
    Transaction one = g.tx();
    Transaction two = g.tx();
    GraphTraversalSource first = one.begin();
    GraphTraversalSource second = two.begin();
    first.V(ada).property("age", first.V(ada).count().next()).iterate();
    second.V(ada).property("age", second.V(ada).count().next() + 1).iterate();
    one.commit();
    fails(two::commit);

    System.out.println("the same conflict, with retries");
    int[] attempts = {0};
    long age =
        inTransaction(
            g,
            gtx -> {
              long older = gtx.V(ada).<Long>values("age").next() + 1;
              if (++attempts[0] == 1) {
                g.V(ada).property("age", 36L).iterate(); // another transaction commits first
              }
              gtx.V(ada).property("age", older).iterate();
              return older;
            });
    System.out.println("age " + age + " attempts " + attempts[0]);

    System.out.println("drop everything that was added");
    g.V(ada, bob, charles).drop().iterate();
    System.out.println("left " + g.V(ada, bob, charles).count().next());
    cluster.close();
  }

  /** Runs work in a transaction, and again after a conflict. Returns the result of work. */
  private static <T> T inTransaction(GraphTraversalSource g, Function<GraphTraversalSource, T> work)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      Transaction tx = g.tx();
      try {
        T result = work.apply(tx.begin());
        tx.commit();
        return result;
      } catch (RuntimeException e) {
        if (tx.isOpen()) {
          tx.rollback();
        }
        ResponseException response = response(e);
        if (attempt == ATTEMPTS || response == null || response.getResponseStatusCode().getValue() != CONFLICT) {
          throw e;
        }
      }
      Thread.sleep(ThreadLocalRandom.current().nextLong(10L << attempt));
    }
  }

  private static long explorers(GraphTraversalSource source) {
    return source.V().hasLabel("explorer").count().next();
  }

  /** Runs a query that fails, and prints the status of the server's answer. */
  private static void fails(Runnable query) {
    try {
      query.run();
      System.out.println("it did not fail");
    } catch (RuntimeException e) {
      ResponseException response = response(e);
      if (response == null) {
        throw e;
      }
      String message = response.getMessage();
      System.out.println(
          response.getResponseStatusCode().getValue()
              + " "
              + message.substring(0, Math.min(60, message.length())));
    }
  }

  /** The server's answer among the causes of an exception; null if there is none. */
  private static ResponseException response(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ResponseException response) {
        return response;
      }
    }
    return null;
  }
}
