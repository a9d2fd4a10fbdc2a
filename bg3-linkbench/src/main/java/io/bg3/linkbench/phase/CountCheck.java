package io.bg3.linkbench.phase;

import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.NodeDegrees;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes through all lists of a store at rest and compares each count with the links: visible, in the
 * order of their times, each also found by its ends.
 */
public final class CountCheck {
  private static final int MOST_PROBLEMS = 20;

  private final LinkDatabase database;
  private final long first;
  private final long end;
  private final int types;
  private final PhaseControl control;
  private long links;

  /** A check of the lists of all nodes of a workload; {@code control} is told of each node. */
  public CountCheck(
      LinkDatabase database, Config config, NodeDegrees degrees, PhaseControl control) {
    this.database = database;
    this.first = config.startId();
    this.end = config.endId();
    this.types = degrees.types();
    this.control = control;
  }

  /** Checks, and returns what is wrong, at most twenty sentences. */
  public List<String> run() {
    List<String> problems = new ArrayList<>();
    try (LinkSession session = database.session()) {
      for (long id1 = first;
          id1 < end && problems.size() < MOST_PROBLEMS && !control.isStopped();
          id1++) {
        for (int t = 0; t < types; t++) {
          String problem = check(session, id1, Config.FIRST_LINK_TYPE + t);
          if (problem != null) {
            problems.add("id1=" + id1 + ", type=" + (Config.FIRST_LINK_TYPE + t) + ": " + problem);
          }
        }
        control.advance(1);
      }
    }
    return problems;
  }

  /** The number of visible links. */
  public long links() {
    return links;
  }

  private String check(LinkSession session, long id1, long type) {
    long count = session.countLinks(id1, type);
    int limit = (int) Math.min(count + 1, Integer.MAX_VALUE);
    LinkRow[] list = session.linkList(id1, type, Long.MIN_VALUE, Long.MAX_VALUE, 0, limit);
    links += list.length;
    if (list.length != count) {
      return "count=" + count + ", links=" + (list.length > count ? "more" : "" + list.length);
    }
    for (int i = 0; i < list.length; i++) {
      if (!list[i].isVisible()
          || (i > 0 && list[i].time() > list[i - 1].time())
          || !list[i].equals(session.link(id1, type, list[i].id2()))) {
        return "at=" + i + ": " + list[i];
      }
    }
    return null;
  }
}
