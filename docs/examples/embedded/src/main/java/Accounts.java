import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.PropertyRecord;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.Map;

/** The engine's own interface, below Gremlin: transactions, retries, and updates under a lock. */
public class Accounts {
  public static void main(String[] arguments) {
    try (Bg3Graph graph = Bg3Graph.open()) { // in memory; give it a directory to keep the data
      GraphStore store = graph.graphStore();

      // A transaction of its own. close() rolls back what was not committed.
      long ada;
      long bob;
      try (GraphTransaction transaction = store.begin()) {
        ada = account(transaction, "Ada", 100);
        bob = account(transaction, "Bob", 0);
        transaction.addEdge(ada, "trusts", bob, null, Map.of("limit", 50));
        transaction.commit();
      }

      // retry() runs the work again after a conflict, so the work may run more than once.
      store.retry(
          transaction -> {
            add(transaction, ada, -30);
            add(transaction, bob, 30);
            return null;
          });

      // update() locks the vertices first: it never conflicts, however many threads want them.
      store.update(
          new long[] {ada, bob},
          transaction -> {
            add(transaction, ada, -20);
            add(transaction, bob, 20);
            return null;
          });

      // A read-only transaction sees one moment of the store for as long as it is open.
      try (GraphTransaction transaction = store.beginReadOnly()) {
        System.out.println("Ada " + balance(transaction, ada) + ", Bob " + balance(transaction, bob));
        EdgeScan edges = transaction.edges(ada, EdgeDirection.OUT, false, "trusts");
        while (edges.next()) {
          System.out.println("Ada trusts " + transaction.vertexId(edges.other()));
        }
      }
    }
  }

  private static long account(GraphTransaction transaction, String name, int balance) {
    long vertex = transaction.addVertex(name, "account");
    transaction.setProperty(vertex, Cardinality.SINGLE, "balance", balance, null);
    return vertex;
  }

  private static void add(GraphTransaction transaction, long vertex, int amount) {
    int balance = balance(transaction, vertex) + amount;
    transaction.setProperty(vertex, Cardinality.SINGLE, "balance", balance, null);
  }

  private static int balance(GraphTransaction transaction, long vertex) {
    int key = transaction.findKey("balance");
    for (PropertyRecord property : transaction.vertex(vertex).properties()) {
      if (property.key() == key) {
        return (int) transaction.value(vertex, property);
      }
    }
    throw new IllegalStateException("no balance: account=" + transaction.vertexId(vertex));
  }
}
