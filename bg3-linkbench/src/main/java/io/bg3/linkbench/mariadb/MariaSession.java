package io.bg3.linkbench.mariadb;

import io.bg3.linkbench.model.CountRow;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.model.NodeRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One thread's two connections: one commits each read by itself, the other each write, with its
 * last statement where that saves a way to the server and back.
 */
final class MariaSession implements LinkSession {
  private static final int BATCH = 1_024;

  /** Deadlock, and a lock that was waited for too long. */
  private static final Set<String> PASSING = Set.of("40001", "41000");

  private static final int LOCK_WAIT = 1_205;

  private final MariaDatabase database;
  private final Tables tables;
  private Connection reads;
  private Connection writes;

  MariaSession(MariaDatabase database, Tables tables) {
    this.database = database;
    this.tables = tables;
    connect();
  }

  @Override
  public boolean addLink(LinkRow link) {
    return written("add a link", () -> put(link));
  }

  private boolean put(LinkRow link) throws SQLException {
    int changed = 0;
    try (PreparedStatement insert = writes.prepareStatement(tables.insertLinks(1))) {
      set(insert, 0, link);
      changed = insert.executeUpdate();
    }
    // 1: it is new; 2: its visibility is another now; 0: it was there with this visibility
    int increment = changed == 0 || (changed == 1 && !link.isVisible()) ? 0 : 1;
    if (increment != 0) {
      addCount(link.id1(), link.type(), link.isVisible() ? 1 : -1);
    }
    if (changed != 1) {
      try (PreparedStatement update = writes.prepareStatement(tables.updateLink())) {
        update.setByte(1, link.visibility());
        update.setBytes(2, link.data());
        update.setLong(3, link.time());
        update.setInt(4, link.version());
        key(update, 5, link.id1(), link.id2(), link.type());
        update.executeUpdate();
      }
    } else {
      writes.commit();
    }
    return changed == 1;
  }

  private void addCount(long id1, long type, int increment) throws SQLException {
    try (PreparedStatement count = writes.prepareStatement(tables.addCount())) {
      count.setLong(1, id1);
      count.setLong(2, type);
      count.setInt(3, Math.max(0, increment));
      count.setLong(4, System.currentTimeMillis());
      count.setInt(5, increment);
      count.executeUpdate();
    }
  }

  @Override
  public boolean deleteLink(long id1, long type, long id2, boolean expunge) {
    return written(
        "delete a link",
        () -> {
          Boolean visible = lock(id1, type, id2);
          if (visible != null && (visible || expunge)) {
            String sql = expunge ? tables.removeLink() : tables.hideLink();
            try (PreparedStatement change = writes.prepareStatement(sql)) {
              key(change, 1, id1, id2, type);
              change.executeUpdate();
            }
            if (visible) {
              addCount(id1, type, -1);
            }
          }
          writes.commit();
          return visible != null;
        });
  }

  /** Locks a link and says whether it is visible, null if it is not there. */
  private Boolean lock(long id1, long type, long id2) throws SQLException {
    try (PreparedStatement select = writes.prepareStatement(tables.lockLink())) {
      key(select, 1, id1, id2, type);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? (Boolean) (row.getByte(1) != LinkRow.HIDDEN) : null;
      }
    }
  }

  @Override
  public LinkRow link(long id1, long type, long id2) {
    LinkRow[] found = links(id1, type, id2);
    return found.length == 0 ? null : found[0];
  }

  @Override
  public LinkRow[] links(long id1, long type, long... id2s) {
    return read(
        "read links",
        () -> {
          try (PreparedStatement select = reads.prepareStatement(tables.selectLinks(id2s.length))) {
            select.setLong(1, id1);
            select.setLong(2, type);
            for (int i = 0; i < id2s.length; i++) {
              select.setLong(3 + i, id2s[i]);
            }
            return rows(select);
          }
        });
  }

  @Override
  public LinkRow[] linkList(
      long id1, long type, long minTime, long maxTime, int offset, int limit) {
    return read(
        "list links",
        () -> {
          try (PreparedStatement select = reads.prepareStatement(tables.listLinks())) {
            select.setLong(1, id1);
            select.setLong(2, type);
            select.setLong(3, minTime);
            select.setLong(4, maxTime);
            select.setInt(5, offset);
            select.setInt(6, limit);
            return rows(select);
          }
        });
  }

  private static LinkRow[] rows(PreparedStatement select) throws SQLException {
    List<LinkRow> links = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        links.add(
            new LinkRow(
                row.getLong(1),
                row.getLong(3),
                row.getLong(2),
                row.getByte(4),
                row.getInt(7),
                row.getLong(6),
                row.getBytes(5)));
      }
    }
    return links.toArray(LinkRow[]::new);
  }

  @Override
  public long countLinks(long id1, long type) {
    return read(
        "count links",
        () -> {
          try (PreparedStatement select = reads.prepareStatement(tables.count())) {
            select.setLong(1, id1);
            select.setLong(2, type);
            try (ResultSet row = select.executeQuery()) {
              return row.next() ? row.getLong(1) : 0L;
            }
          }
        });
  }

  @Override
  public int batchSize() {
    return BATCH;
  }

  @Override
  public void addLinks(List<LinkRow> links) {
    written(
        "add links",
        () -> {
          try (PreparedStatement insert =
              writes.prepareStatement(tables.insertLinks(links.size()))) {
            for (int i = 0; i < links.size(); i++) {
              set(insert, 7 * i, links.get(i));
            }
            insert.executeUpdate();
          }
          writes.commit();
          return null;
        });
  }

  @Override
  public void setCounts(List<CountRow> counts) {
    written(
        "set counts",
        () -> {
          try (PreparedStatement replace =
              writes.prepareStatement(tables.replaceCounts(counts.size()))) {
            int at = 1;
            for (CountRow count : counts) {
              replace.setLong(at++, count.id1());
              replace.setLong(at++, count.type());
              replace.setLong(at++, count.count());
              replace.setLong(at++, count.time());
              replace.setLong(at++, count.version());
            }
            replace.executeUpdate();
          }
          writes.commit();
          return null;
        });
  }

  @Override
  public void resetNodes(long nextId) {
    written(
        "remove all nodes",
        () -> {
          try (Statement statement = writes.createStatement()) {
            statement.execute("TRUNCATE TABLE " + tables.nodes());
            statement.execute("ALTER TABLE " + tables.nodes() + " AUTO_INCREMENT = " + nextId);
          }
          writes.commit();
          return null;
        });
  }

  @Override
  public long[] addNodes(List<NodeRow> rows) {
    return written(
        "add nodes",
        () -> {
          long[] ids = new long[rows.size()];
          try (PreparedStatement insert =
              writes.prepareStatement(
                  tables.insertNodes(rows.size()), Statement.RETURN_GENERATED_KEYS)) {
            int at = 1;
            for (NodeRow row : rows) {
              insert.setInt(at++, row.type());
              insert.setLong(at++, row.version());
              insert.setInt(at++, row.time());
              insert.setBytes(at++, row.data());
            }
            insert.executeUpdate();
            try (ResultSet keys = insert.getGeneratedKeys()) {
              keys.next();
              long first = keys.getLong(1);
              for (int i = 0; i < ids.length; i++) {
                ids[i] = first + i; // rows of one insert have consecutive ids
              }
            }
          }
          writes.commit();
          return ids;
        });
  }

  @Override
  public NodeRow node(int type, long id) {
    return read(
        "read a node",
        () -> {
          try (PreparedStatement select = reads.prepareStatement(tables.selectNode())) {
            select.setLong(1, id);
            select.setInt(2, type);
            try (ResultSet row = select.executeQuery()) {
              return row.next()
                  ? new NodeRow(id, type, row.getLong(1), row.getInt(2), row.getBytes(3))
                  : null;
            }
          }
        });
  }

  @Override
  public boolean updateNode(NodeRow node) {
    return written(
        "update a node",
        () -> {
          int changed;
          try (PreparedStatement update = writes.prepareStatement(tables.updateNode())) {
            update.setLong(1, node.version());
            update.setInt(2, node.time());
            update.setBytes(3, node.data());
            update.setLong(4, node.id());
            update.setInt(5, node.type());
            changed = update.executeUpdate();
          }
          writes.commit();
          // 0 also where nothing but the same was written
          return changed > 0 || node.equals(node(node.type(), node.id()));
        });
  }

  @Override
  public boolean deleteNode(int type, long id) {
    return written(
        "delete a node",
        () -> {
          int changed;
          try (PreparedStatement delete = writes.prepareStatement(tables.removeNode())) {
            delete.setLong(1, id);
            delete.setInt(2, type);
            changed = delete.executeUpdate();
          }
          writes.commit();
          return changed > 0;
        });
  }

  @Override
  public void reset() {
    close();
    connect();
  }

  @Override
  public void close() {
    try {
      reads.close();
      writes.close();
    } catch (SQLException e) {
      throw new LinkStoreException("cannot close a connection", e);
    }
  }

  private void connect() {
    try {
      reads = database.connect();
      writes = database.connect();
      writes.setAutoCommit(false);
    } catch (SQLException e) {
      throw new LinkStoreException("cannot connect to MariaDB: " + e.getMessage(), e);
    }
  }

  private interface Work<T> {
    T run() throws SQLException;
  }

  private static <T> T read(String what, Work<T> work) {
    while (true) {
      try {
        return work.run();
      } catch (SQLException e) {
        requirePassing(what, e);
      }
    }
  }

  /** Does a write, again after a conflict that rolled it back. */
  private <T> T written(String what, Work<T> work) {
    while (true) {
      try {
        return work.run();
      } catch (SQLException e) {
        rollback(e);
        requirePassing(what, e);
      }
    }
  }

  private void rollback(SQLException cause) {
    try {
      writes.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private static void requirePassing(String what, SQLException e) {
    if (!PASSING.contains(e.getSQLState()) && e.getErrorCode() != LOCK_WAIT) {
      throw new LinkStoreException("cannot " + what + ": " + e.getMessage(), e);
    }
  }

  private static void set(PreparedStatement statement, int after, LinkRow link)
      throws SQLException {
    key(statement, after + 1, link.id1(), link.id2(), link.type());
    statement.setByte(after + 4, link.visibility());
    statement.setBytes(after + 5, link.data());
    statement.setLong(after + 6, link.time());
    statement.setInt(after + 7, link.version());
  }

  private static void key(PreparedStatement statement, int at, long id1, long id2, long type)
      throws SQLException {
    statement.setLong(at, id1);
    statement.setLong(at + 1, id2);
    statement.setLong(at + 2, type);
  }
}
