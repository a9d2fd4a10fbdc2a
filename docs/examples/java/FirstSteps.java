import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

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
 * <p>All that it adds has the label 'explorer' or 'met', and it drops what it added.
 */
public class FirstSteps {
  public static void main(String[] arguments) {
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

    System.out.println("transaction: seen outside when it is committed");
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
    first.V(ada).property("age", explorers(first)).iterate();
    second.V(ada).property("age", explorers(second) + 1).iterate();
    one.commit();
    fails(two::commit);

    System.out.println("drop what was added");
    g.V(ada, bob, charles).drop().iterate();
    System.out.println("left " + g.V(ada, bob, charles).count().next());
    cluster.close();
  }

  private static long explorers(GraphTraversalSource source) {
    return source.V().hasLabel("explorer").count().next();
  }

  /** Runs what fails and prints the server's status, which stands in one of the causes. */
  private static void fails(Runnable query) {
    try {
      query.run();
      System.out.println("it did not fail");
    } catch (RuntimeException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof ResponseException response) {
          String message = response.getMessage();
          System.out.println(
              response.getResponseStatusCode().getValue()
                  + " "
                  + message.substring(0, Math.min(60, message.length())));
          return;
        }
      }
      throw e;
    }
  }
}
