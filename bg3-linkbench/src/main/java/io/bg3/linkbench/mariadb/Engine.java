package io.bg3.linkbench.mariadb;

import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.ConfigException;
import java.util.List;

/** A storage engine of MariaDB, and what differs between them: key {@code engine}. */
enum Engine {
  INNODB("InnoDB", " PARTITION BY KEY (id1) PARTITIONS 16", "innodb_flush_log_at_trx_commit") {
    @Override
    List<String> settings() {
      return List.of(
          "innodb_buffer_pool_size",
          "innodb_flush_method",
          "innodb_doublewrite",
          "innodb_log_file_size");
    }

    @Override
    String bytesOnDisk(String database) {
      return "SELECT SUM(file_size) FROM information_schema.innodb_sys_tablespaces"
          + " WHERE name LIKE '"
          + database
          + "/%'";
    }
  },
  /** MyRocks, whose tables are not partitioned. It keeps all databases in the same files. */
  ROCKSDB("RocksDB", "", "rocksdb_flush_log_at_trx_commit") {
    @Override
    List<String> settings() {
      return List.of("rocksdb_block_cache_size", "rocksdb_deadlock_detect", "tx_isolation");
    }

    @Override
    String bytesOnDisk(String database) {
      return "SELECT SUM(data_block_size + index_block_size + filter_block_size)"
          + " FROM information_schema.rocksdb_sst_props";
    }
  };

  private final String title;
  private final String partitions;
  private final String flushVariable;

  Engine(String title, String partitions, String flushVariable) {
    this.title = title;
    this.partitions = partitions;
    this.flushVariable = flushVariable;
  }

  static Engine of(Config config) {
    String name = config.text("engine", INNODB.title);
    for (Engine engine : values()) {
      if (engine.title.equalsIgnoreCase(name)) {
        return engine;
      }
    }
    throw new ConfigException(
        "not a storage engine: key=engine, value=" + name + ", allowed=InnoDB, RocksDB");
  }

  /** The clauses behind the columns of a table. */
  String tableOption() {
    return " ENGINE=" + title;
  }

  /** The clause behind {@link #tableOption} for a table with the partitions of LinkBench. */
  String partitions() {
    return partitions;
  }

  /** The variable that says what a commit waits for: 1 the disk, 2 the system, 0 nothing. */
  String flushVariable() {
    return flushVariable;
  }

  /** The variables that a reader of the figures has to know. */
  abstract List<String> settings();

  /** Asks for the bytes that a database takes. */
  abstract String bytesOnDisk(String database);
}
