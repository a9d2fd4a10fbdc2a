package io.bg3.linkbench.mariadb;

import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.ConfigException;
import java.util.Collections;
import java.util.List;

/**
 * LinkBench's tables and the statements on them. Columns and indexes are those that LinkBench asks
 * for; payloads are bytes here, so that no character set comes between.
 *
 * @param engine what keeps the tables
 * @param database the database, quoted
 * @param links the table of links, with its database
 * @param counts the table of counts, with its database
 * @param nodes the table of nodes, with its database
 */
record Tables(Engine engine, String database, String links, String counts, String nodes) {
  private static final String LINK_COLUMNS = "id1, id2, link_type, visibility, data, time, version";

  /**
   * Without it the index of lists may be taken for a write, which then locks a node's whole list.
   */
  private static final String BY_PRIMARY_KEY = " FORCE INDEX (PRIMARY)";

  static Tables of(Config config) {
    String database = name(config.text("dbid"));
    return new Tables(
        Engine.of(config),
        database,
        database + "." + name(config.text("linktable", "linktable")),
        database + "." + name(config.text("counttable", "counttable")),
        database + "." + name(config.text("nodetable", "nodetable")));
  }

  private static String name(String name) {
    if (!name.matches("[A-Za-z0-9_]+")) {
      throw new ConfigException("not the name of a database or table: name=" + name);
    }
    return "`" + name + "`";
  }

  List<String> create() {
    return List.of(
        "CREATE DATABASE IF NOT EXISTS " + database,
        "CREATE TABLE IF NOT EXISTS "
            + links
            + " (id1 BIGINT NOT NULL, id2 BIGINT NOT NULL, link_type BIGINT NOT NULL,"
            + " visibility TINYINT NOT NULL, data VARBINARY(255) NOT NULL, time BIGINT NOT NULL,"
            + " version INT NOT NULL, PRIMARY KEY (link_type, id1, id2),"
            + " KEY id1_type (id1, link_type, visibility, time, id2, version, data))"
            + engine.tableOption()
            + engine.partitions(),
        "CREATE TABLE IF NOT EXISTS "
            + counts
            + " (id BIGINT NOT NULL, link_type BIGINT NOT NULL, count BIGINT NOT NULL,"
            + " time BIGINT NOT NULL, version BIGINT NOT NULL, PRIMARY KEY (id, link_type))"
            + engine.tableOption(),
        "CREATE TABLE IF NOT EXISTS "
            + nodes
            + " (id BIGINT NOT NULL AUTO_INCREMENT, type INT NOT NULL, version BIGINT NOT NULL,"
            + " time INT NOT NULL, data MEDIUMBLOB NOT NULL, PRIMARY KEY (id))"
            + engine.tableOption());
  }

  /** Seven parameters a row; what is there already changes its visibility alone. */
  String insertLinks(int rows) {
    return "INSERT INTO "
        + links
        + " ("
        + LINK_COLUMNS
        + ") VALUES "
        + rows("(?,?,?,?,?,?,?)", rows)
        + " ON DUPLICATE KEY UPDATE visibility = VALUES(visibility)";
  }

  /** All fields of a link that is there: visibility, data, time, version; id1, id2, type. */
  String updateLink() {
    return "UPDATE "
        + links
        + BY_PRIMARY_KEY
        + " SET visibility = ?, data = ?, time = ?, version = ?"
        + " WHERE id1 = ? AND id2 = ? AND link_type = ?; COMMIT";
  }

  /** Visibility of a link, kept locked: id1, id2, type. */
  String lockLink() {
    return "SELECT visibility FROM "
        + links
        + " WHERE id1 = ? AND id2 = ? AND link_type = ? FOR UPDATE";
  }

  String hideLink() {
    return "UPDATE "
        + links
        + BY_PRIMARY_KEY
        + " SET visibility = 0 WHERE id1 = ? AND id2 = ? AND link_type = ?";
  }

  String removeLink() {
    return "DELETE "
        + links
        + " FROM "
        + links
        + BY_PRIMARY_KEY
        + " WHERE id1 = ? AND id2 = ? AND link_type = ?";
  }

  /** Adds to a count, never below zero: id, type, first count, time; increment. */
  String addCount() {
    return "INSERT INTO "
        + counts
        + " (id, link_type, count, time, version) VALUES (?,?,?,?,0)"
        + " ON DUPLICATE KEY UPDATE count = GREATEST(0, count + ?), time = VALUES(time),"
        + " version = version + 1";
  }

  /** Five parameters a row. */
  String replaceCounts(int rows) {
    return "REPLACE INTO "
        + counts
        + " (id, link_type, count, time, version) VALUES "
        + rows("(?,?,?,?,?)", rows);
  }

  /** Links by their ends: id1, type, the ends. */
  String selectLinks(int ends) {
    return "SELECT "
        + LINK_COLUMNS
        + " FROM "
        + links
        + " WHERE id1 = ? AND link_type = ? AND id2 IN ("
        + rows("?", ends)
        + ")";
  }

  /** A list: id1, type, from, to, offset, limit. */
  String listLinks() {
    return "SELECT "
        + LINK_COLUMNS
        + " FROM "
        + links
        + " FORCE INDEX (id1_type) WHERE id1 = ? AND link_type = ? AND time >= ? AND time <= ?"
        + " AND visibility = 1 ORDER BY time DESC LIMIT ?, ?";
  }

  String count() {
    return "SELECT count FROM " + counts + " WHERE id = ? AND link_type = ?";
  }

  /** Four parameters a row: type, version, time, data. */
  String insertNodes(int rows) {
    return "INSERT INTO "
        + nodes
        + " (type, version, time, data) VALUES "
        + rows("(?,?,?,?)", rows);
  }

  String selectNode() {
    return "SELECT version, time, data FROM " + nodes + " WHERE id = ? AND type = ?";
  }

  String updateNode() {
    return "UPDATE " + nodes + " SET version = ?, time = ?, data = ? WHERE id = ? AND type = ?";
  }

  String removeNode() {
    return "DELETE FROM " + nodes + " WHERE id = ? AND type = ?";
  }

  private static String rows(String row, int count) {
    return String.join(",", Collections.nCopies(count, row));
  }
}
