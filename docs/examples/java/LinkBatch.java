import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import io.bg3.batch.BatchLink;
import io.bg3.batch.BatchProperties;
import io.bg3.batch.BatchRequest;
import io.bg3.batch.BatchResponse;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** Many operations in one request. Arguments: host and port of the server, if they are not 127.0.0.1 and 8182. */
public class LinkBatch {
  public static void main(String[] arguments) {
    String host = arguments.length > 0 ? arguments[0] : "127.0.0.1";
    int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 8182;
    Cluster cluster = Cluster.build(host).port(port).create();
    GraphTraversalSource g = traversal().with(DriverRemoteConnection.using(cluster, "g"));
    g.call("bg3.links.declare", Map.of("label", "rates", "sortKey", "time", "loose", true, "counted", true)).iterate();

    BatchRequest writes = new BatchRequest();
    for (long film = 1; film <= 3; film++) {
      writes.addLink("rates", 1, film, 1700000000000L + film, true, BatchProperties.of(Map.of("stars", 5)));
    }
    BatchResponse written = send(g, writes);
    System.out.println("film 1 was " + written.answer(0).priorState());

    BatchRequest reads = new BatchRequest("stars"); // the property that the answers contain
    reads.countLinks("rates", 1);
    reads.listLinks("rates", 1, Long.MIN_VALUE, Long.MAX_VALUE, true, 0, 2);
    BatchResponse read = send(g, reads);
    System.out.println("rated " + read.answer(0).number());
    for (BatchLink link : read.answer(1).links()) {
      System.out.println("film " + link.target() + " stars " + link.properties().get("stars"));
    }
    cluster.close();
  }

  private static BatchResponse send(GraphTraversalSource g, BatchRequest request) {
    return request.response((ByteBuffer) g.call(request.service(), request.parameters()).next());
  }
}
