package io.bg3.linkbench.mariadb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkDatabaseContract;
import io.bg3.linkbench.workload.Config;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * MariaDB does what LinkBench expects, by our statements. Runs where {@code -Dmariadb.port} names a
 * server on this machine whose root has no password; the database {@code bg3_linkbench_test} is
 * removed and made anew. With {@code -Dmariadb.engine=RocksDB} its tables are MyRocks'.
 */
class MariaDatabaseTest extends LinkDatabaseContract {
  private static final String PORT = System.getProperty("mariadb.port", "");

  @Override
  protected LinkDatabase open() throws SQLException {
    assumeTrue(!PORT.isEmpty(), "MariaDB is not there: give its port with -Dmariadb.port=N");
    MariaDatabase database = new MariaDatabase(config());
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE bg3_linkbench_test");
    }
    return new MariaDatabase(config());
  }

  private static Config config() {
    Properties properties = new Properties();
    properties.setProperty("dbid", "bg3_linkbench_test");
    properties.setProperty("port", PORT);
    properties.setProperty("engine", System.getProperty("mariadb.engine", "InnoDB"));
    return new Config(properties);
  }
}
