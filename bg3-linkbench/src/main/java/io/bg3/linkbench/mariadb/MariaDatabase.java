package io.bg3.linkbench.mariadb;

import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.ConfigException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A running MariaDB server, reached with LinkBench's keys: {@code host}, {@code port}, {@code
 * user}, {@code password}, {@code dbid}, {@code linktable}, {@code counttable}, {@code nodetable},
 * and with {@code engine}, the storage engine: {@code InnoDB} or {@code RocksDB} (MyRocks). The
 * tables are made where they are not there.
 *
 * <p>Threads: any.
 */
public final class MariaDatabase implements LinkDatabase {
  private final String url;
  private final Properties login = new Properties();
  private final Tables tables;

  /**
   * Looks whether the server is there, and makes the tables.
   *
   * @throws LinkStoreException if that fails
   */
  public MariaDatabase(Config config) {
    this.tables = Tables.of(config);
    this.url =
        "jdbc:mariadb://"
            + config.text("host", "127.0.0.1")
            + ":"
            + config.count("port", 3306, 1, 65_535)
            + "/";
    login.setProperty("user", config.text("user", "root"));
    login.setProperty("password", config.text("password", ""));
    login.setProperty("allowMultiQueries", "true");
    login.setProperty("useAffectedRows", "true"); // tells an insert from an update and a no-change
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : tables.create()) {
        statement.execute(sql);
      }
      if (config.has("bg3.durability")) {
        statement.execute(
            "SET GLOBAL "
                + tables.engine().flushVariable()
                + " = "
                + flush(config.text("bg3.durability")));
      }
    } catch (SQLException e) {
      throw new LinkStoreException("cannot use MariaDB: url=" + url + ", " + e.getMessage(), e);
    }
  }

  /** The engines' number for what a commit waits for. */
  private static int flush(String durability) {
    return switch (durability) {
      case "sync" -> 1;
      case "async" -> 2;
      case "none" -> 0;
      default ->
          throw new ConfigException(
              "not a durability: key=bg3.durability, value="
                  + durability
                  + ", allowed=sync, async, none");
    };
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url, login);
  }

  @Override
  public LinkSession session() {
    return new MariaSession(this, tables);
  }

  @Override
  public String describe() {
    StringBuilder text =
        new StringBuilder("mariadb")
            .append(tables.engine().tableOption())
            .append(", ")
            .append(url)
            .append(':');
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      List<String> names = new ArrayList<>(List.of("version", tables.engine().flushVariable()));
      names.addAll(tables.engine().settings());
      names.addAll(List.of("log_bin", "sync_binlog"));
      for (String name : names) {
        try (ResultSet row = statement.executeQuery("SELECT @@" + name)) {
          row.next();
          text.append(' ').append(name).append('=').append(row.getString(1));
        }
      }
    } catch (SQLException e) {
      throw new LinkStoreException("cannot ask for the settings: url=" + url, e);
    }
    return text.toString();
  }

  @Override
  public void settle() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("ANALYZE TABLE " + tables.links() + ", " + tables.nodes());
    } catch (SQLException e) {
      throw new LinkStoreException("cannot gather statistics: url=" + url, e);
    }
  }

  @Override
  public long bytesOnDisk() {
    String database = tables.database().replace("`", "");
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(tables.engine().bytesOnDisk(database))) {
      return row.next() ? row.getLong(1) : -1;
    } catch (SQLException e) {
      return -1; // not every user may look there
    }
  }

  @Override
  public void close() {}
}
