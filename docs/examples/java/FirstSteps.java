import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** First steps with org.apache.tinkerpop:gremlin-driver. */
public class FirstSteps {
  public static void main(String[] arguments) {
    Cluster cluster = Cluster.build("127.0.0.1").port(8182).create();
    GraphTraversalSource g = traversal().with(DriverRemoteConnection.using(cluster, "g"));

    System.out.println("add");
    Vertex ada = g.addV("person").property("name", "Ada").next();
    Vertex bob = g.addV("person").property("name", "Bob").next();
    g.V(ada).addE("knows").to(__.V(bob)).property("since", 1833).iterate();

    System.out.println("query");
    System.out.println(g.V().has("person", "name", "Ada").out("knows").values("name").toList());

    System.out.println("transaction: seen outside when it is committed");
    Transaction tx = g.tx();
    GraphTraversalSource inside = tx.begin();
    inside.addV("person").property("name", "Charles").iterate();
    System.out.println("inside " + people(inside) + " outside " + people(g));
    tx.commit();
    System.out.println("outside " + people(g));

    System.out.println("roll back");
    tx = g.tx();
    inside = tx.begin();
    inside.V().hasLabel("person").drop().iterate();
    tx.rollback();
    System.out.println("still " + people(g));

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
    first.V(ada).property("age", people(first)).iterate();
    second.V(ada).property("age", people(second) + 1).iterate();
    one.commit();
    fails(two::commit);

    g.V().drop().iterate();
    cluster.close();
  }

  private static long people(GraphTraversalSource source) {
    return source.V().hasLabel("person").count().next();
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
