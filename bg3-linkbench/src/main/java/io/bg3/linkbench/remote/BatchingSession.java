package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.CountRow;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.model.NodeRow;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One thread's operations, which share requests with those of other threads. What a load does comes
 * in batches anyway, and has requests of its own.
 */
final class BatchingSession implements LinkSession {
  private static final int ABSENT = 0;
  private static final int MOST_TARGETS = 0xffff;

  private final RemoteDatabase database;
  private final OperationBatcher reads;
  private final OperationBatcher writes;
  private final TextTable texts;
  private final RemoteSession load;

  BatchingSession(
      RemoteDatabase database, OperationBatcher reads, OperationBatcher writes, TextTable texts) {
    this.database = database;
    this.reads = reads;
    this.writes = writes;
    this.texts = texts;
    this.load = new RemoteSession(database);
  }

  @Override
  public boolean addLink(LinkRow link) {
    database.declare(link.type());
    return ask(BatchEncoder.of(BatchEncoder.ADD_LINK, texts.label(link.type()), link.data().length)
                .number(link.id1())
                .number(link.id2())
                .number(link.time())
                .flag(link.isVisible())
                .properties(link))
            .getLong()
        == ABSENT;
  }

  @Override
  public boolean deleteLink(long id1, long type, long id2, boolean expunge) {
    return ask(BatchEncoder.of(BatchEncoder.DELETE_LINK, texts.label(type))
                .number(id1)
                .number(id2)
                .flag(expunge))
            .getLong()
        != ABSENT;
  }

  @Override
  public LinkRow link(long id1, long type, long id2) {
    LinkRow[] found = links(id1, type, id2);
    return found.length == 0 ? null : found[0];
  }

  @Override
  public LinkRow[] links(long id1, long type, long... id2s) {
    if (id2s.length > MOST_TARGETS) {
      return load.links(id1, type, id2s);
    }
    BatchEncoder encoder =
        BatchEncoder.of(BatchEncoder.GET_LINKS, texts.label(type), id2s.length * Long.BYTES)
            .number(id1)
            .numbers(id2s);
    return rows(id1, type, ask(encoder));
  }

  @Override
  public LinkRow[] linkList(
      long id1, long type, long minTime, long maxTime, int offset, int limit) {
    BatchEncoder encoder =
        BatchEncoder.of(BatchEncoder.LIST_LINKS, texts.label(type))
            .number(id1)
            .number(minTime)
            .number(maxTime)
            .flag(true)
            .small(offset)
            .small(limit);
    return rows(id1, type, ask(encoder));
  }

  @Override
  public long countLinks(long id1, long type) {
    return ask(BatchEncoder.of(BatchEncoder.COUNT_LINKS, texts.label(type)).number(id1)).getLong();
  }

  @Override
  public int batchSize() {
    return load.batchSize();
  }

  @Override
  public void addLinks(List<LinkRow> links) {
    load.addLinks(links);
  }

  @Override
  public void setCounts(List<CountRow> counts) {
    load.setCounts(counts);
  }

  @Override
  public void resetNodes(long nextId) {
    load.resetNodes(nextId);
  }

  @Override
  public long[] addNodes(List<NodeRow> rows) {
    if (rows.size() != 1) {
      return load.addNodes(rows);
    }
    NodeRow row = rows.get(0);
    BatchEncoder encoder =
        BatchEncoder.of(BatchEncoder.ADD_NODE, texts.label(row.type()), row.data().length)
            .properties(row);
    return new long[] {ask(encoder).getLong()};
  }

  @Override
  public NodeRow node(int type, long id) {
    ByteBuffer answer = ask(BatchEncoder.of(BatchEncoder.GET_NODE, texts.label(type)).number(id));
    if (answer.get() == 0) {
      return null;
    }
    Fields fields = new Fields().read(answer);
    return new NodeRow(id, type, fields.version(), (int) fields.time(), fields.data());
  }

  @Override
  public boolean updateNode(NodeRow node) {
    return ask(BatchEncoder.of(
                    BatchEncoder.UPDATE_NODE, texts.label(node.type()), node.data().length)
                .number(node.id())
                .properties(node))
            .getLong()
        != 0;
  }

  @Override
  public boolean deleteNode(int type, long id) {
    return ask(BatchEncoder.of(BatchEncoder.DELETE_NODE, texts.label(type)).number(id)).getLong()
        != 0;
  }

  @Override
  public void reset() {}

  @Override
  public void close() {}

  private ByteBuffer ask(BatchEncoder encoder) {
    return (encoder.isWrite() ? writes : reads).ask(encoder.toBytes());
  }

  private static LinkRow[] rows(long id1, long type, ByteBuffer answer) {
    int count = answer.getInt();
    if (count < 0 || count > answer.remaining()) {
      throw new LinkStoreException("the server's answer cannot be read: links=" + count);
    }
    LinkRow[] links = new LinkRow[count];
    Fields fields = new Fields();
    for (int i = 0; i < links.length; i++) {
      long id2 = answer.getLong();
      long time = answer.getLong();
      byte visibility = answer.get() == 0 ? LinkRow.HIDDEN : LinkRow.VISIBLE;
      fields.read(answer);
      links[i] =
          new LinkRow(id1, type, id2, visibility, (int) fields.version(), time, fields.data());
    }
    return links;
  }
}
