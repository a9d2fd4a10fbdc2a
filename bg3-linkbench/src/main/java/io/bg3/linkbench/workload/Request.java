package io.bg3.linkbench.workload;

import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.NodeRow;
import java.util.List;

/** One request of the workload, with all that it asks. */
public sealed interface Request {
  /** The operation under which it is measured. */
  Operation operation();

  /** Does it, and returns what the session returns. */
  Object perform(LinkSession session);

  /** Adds a link, or replaces it. */
  record AddLink(Operation operation, LinkRow link) implements Request {
    @Override
    public Object perform(LinkSession session) {
      return session.addLink(link);
    }
  }

  /** Hides a link. */
  record DeleteLink(long id1, long type, long id2) implements Request {
    @Override
    public Operation operation() {
      return Operation.DELETE_LINK;
    }

    @Override
    public Object perform(LinkSession session) {
      return session.deleteLink(id1, type, id2, false);
    }
  }

  /** Asks how many links there are. */
  record CountLinks(long id1, long type) implements Request {
    @Override
    public Operation operation() {
      return Operation.COUNT_LINK;
    }

    @Override
    public Object perform(LinkSession session) {
      return session.countLinks(id1, type);
    }
  }

  /** Asks for links by their ends. */
  record GetLinks(long id1, long type, List<Long> id2s) implements Request {
    @Override
    public Operation operation() {
      return Operation.MULTIGET_LINK;
    }

    @Override
    public Object perform(LinkSession session) {
      return session.links(id1, type, id2s.stream().mapToLong(Long::longValue).toArray());
    }
  }

  /** Asks for the newest links up to a time. */
  record ListLinks(long id1, long type, long maxTime, int offset, int limit) implements Request {
    @Override
    public Operation operation() {
      return Operation.GET_LINKS_LIST;
    }

    @Override
    public Object perform(LinkSession session) {
      return session.linkList(id1, type, 0, maxTime, offset, limit);
    }
  }

  /** Adds a node. */
  record AddNode(NodeRow node) implements Request {
    @Override
    public Operation operation() {
      return Operation.ADD_NODE;
    }

    @Override
    public Object perform(LinkSession session) {
      return session.addNodes(List.of(node))[0];
    }
  }

  /** Replaces a node. */
  record UpdateNode(NodeRow node) implements Request {
    @Override
    public Operation operation() {
      return Operation.UPDATE_NODE;
    }

    @Override
    public Object perform(LinkSession session) {
      return session.updateNode(node);
    }
  }

  /** Removes a node. */
  record DeleteNode(long id) implements Request {
    @Override
    public Operation operation() {
      return Operation.DELETE_NODE;
    }

    @Override
    public Object perform(LinkSession session) {
      return session.deleteNode(Config.NODE_TYPE, id);
    }
  }

  /** Asks for a node. */
  record GetNode(long id) implements Request {
    @Override
    public Operation operation() {
      return Operation.GET_NODE;
    }

    @Override
    public Object perform(LinkSession session) {
      return session.node(Config.NODE_TYPE, id);
    }
  }
}
