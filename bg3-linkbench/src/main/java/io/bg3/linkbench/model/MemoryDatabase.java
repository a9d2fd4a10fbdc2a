package io.bg3.linkbench.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Nodes and links in maps on the heap: nothing is kept on a disk. It is what other stores are
 * compared with, in their answers and in their speed.
 */
public final class MemoryDatabase implements LinkDatabase {
  private static final int BATCH = 1024;

  private final Map<Owner, MemoryList> links = new ConcurrentHashMap<>();
  private final Map<Long, NodeRow> nodes = new ConcurrentHashMap<>();
  private final AtomicLong nextId = new AtomicLong(1);

  private record Owner(long id1, long type) {}

  @Override
  public LinkSession session() {
    return new Session();
  }

  @Override
  public String describe() {
    return "memory: maps on the heap";
  }

  @Override
  public void settle() {}

  @Override
  public long bytesOnDisk() {
    return 0;
  }

  @Override
  public void close() {}

  private final class Session implements LinkSession {
    @Override
    public boolean addLink(LinkRow link) {
      return owned(link).put(link) == null;
    }

    @Override
    public boolean deleteLink(long id1, long type, long id2, boolean expunge) {
      MemoryList list = links.get(new Owner(id1, type));
      return list != null && list.delete(id2, expunge);
    }

    @Override
    public LinkRow link(long id1, long type, long id2) {
      MemoryList list = links.get(new Owner(id1, type));
      return list == null ? null : list.get(id2);
    }

    @Override
    public LinkRow[] links(long id1, long type, long... id2s) {
      MemoryList list = links.get(new Owner(id1, type));
      if (list == null) {
        return new LinkRow[0];
      }
      List<LinkRow> found = new ArrayList<>(id2s.length);
      for (long id2 : id2s) {
        LinkRow link = list.get(id2);
        if (link != null) {
          found.add(link);
        }
      }
      return found.toArray(LinkRow[]::new);
    }

    @Override
    public LinkRow[] linkList(
        long id1, long type, long minTime, long maxTime, int offset, int limit) {
      MemoryList list = links.get(new Owner(id1, type));
      return list == null ? new LinkRow[0] : list.list(minTime, maxTime, offset, limit);
    }

    @Override
    public long countLinks(long id1, long type) {
      MemoryList list = links.get(new Owner(id1, type));
      return list == null ? 0 : list.count();
    }

    @Override
    public int batchSize() {
      return BATCH;
    }

    @Override
    public void addLinks(List<LinkRow> rows) {
      for (LinkRow row : rows) {
        owned(row).put(row);
      }
    }

    @Override
    public void setCounts(List<CountRow> counts) {
      // a list counts its links itself
    }

    @Override
    public void resetNodes(long startId) {
      nodes.clear();
      nextId.set(startId);
    }

    @Override
    public long[] addNodes(List<NodeRow> rows) {
      long first = nextId.getAndAdd(rows.size());
      long[] ids = new long[rows.size()];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = first + i;
        nodes.put(ids[i], rows.get(i).withId(ids[i]));
      }
      return ids;
    }

    @Override
    public NodeRow node(int type, long id) {
      NodeRow node = nodes.get(id);
      return node == null || node.type() != type ? null : node;
    }

    @Override
    public boolean updateNode(NodeRow node) {
      NodeRow now =
          nodes.computeIfPresent(node.id(), (id, old) -> old.type() == node.type() ? node : old);
      return now != null && now.type() == node.type();
    }

    @Override
    public boolean deleteNode(int type, long id) {
      NodeRow node = node(type, id);
      return node != null && nodes.remove(id) != null;
    }

    @Override
    public void reset() {}

    @Override
    public void close() {}

    private MemoryList owned(LinkRow link) {
      return links.computeIfAbsent(new Owner(link.id1(), link.type()), owner -> new MemoryList());
    }
  }
}
