package io.bg3.linkbench.phase;

import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.MemoryDatabase;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.LoadPlan;
import io.bg3.linkbench.workload.NodeDegrees;
import io.bg3.linkbench.workload.PhaseSeeds;
import io.bg3.linkbench.workload.Request;
import io.bg3.linkbench.workload.RequestStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Loads a store and the map on the heap with the same, gives both the same requests one by one, and
 * compares every answer. The time is counted, not read, so that a seed makes everything; it stands
 * still now and then, so that links have the same time.
 */
public final class Replay {
  private static final long CLOCK_BEGIN = 1_700_000_000_000L;
  private static final int REQUESTS_IN_MILLI = 3;
  private static final int MOST_PROBLEMS = 20;

  private final LinkDatabase database;
  private final Config config;
  private final NodeDegrees degrees;
  private final PhaseControl control;
  private final AtomicLong ticks = new AtomicLong();
  private final MemoryDatabase model = new MemoryDatabase();
  private final List<String> problems = new ArrayList<>();

  /** A replay on an empty store; {@code control} is told of loaded nodes and of requests. */
  public Replay(LinkDatabase database, Config config, NodeDegrees degrees, PhaseControl control) {
    this.database = database;
    this.config = config;
    this.degrees = degrees;
    this.control = control;
  }

  /** Loads store and model, with as many loaders as the configuration says. */
  public void load(PhaseSeeds seeds) {
    LoadPlan plan = new LoadPlan(config, degrees, seeds, CLOCK_BEGIN);
    new LoadPhase(model, plan, 1, new PhaseControl(by -> {})).run(true);
    new LoadPhase(database, plan, config.count("loaders", 1, 10_000), control).run(true);
  }

  /**
   * Makes this many requests, by the configured requesters in turn.
   *
   * @return what differs, at most twenty sentences
   */
  public List<String> run(PhaseSeeds seeds, long requests) {
    int requesters = config.count("requesters", 1, 100_000);
    List<RequestStream> streams = new ArrayList<>();
    List<LinkSession> sessions = new ArrayList<>();
    try (LinkSession known = model.session()) {
      for (int i = 0; i < requesters; i++) {
        streams.add(new RequestStream(config, degrees, seeds.next(), this::millis, i, requesters));
        sessions.add(database.session());
      }
      for (long n = 0; n < requests && !control.isStopped(); n++) {
        int requester = (int) (n % requesters);
        step(n, streams.get(requester), sessions.get(requester), known);
        control.advance(1);
        if (problems.size() >= MOST_PROBLEMS) {
          break;
        }
      }
    } finally {
      sessions.forEach(LinkSession::close);
    }
    return List.copyOf(problems);
  }

  private void step(long number, RequestStream stream, LinkSession session, LinkSession known) {
    Request request = stream.next();
    Object expected = request.perform(known);
    Object answer = request.perform(session);
    String difference = AnswerComparison.difference(request, expected, answer, known);
    if (difference != null) {
      problems.add("request " + number + ", " + request + ": " + difference);
    }
    stream.answered(request, expected);
  }

  private long millis() {
    return CLOCK_BEGIN + ticks.incrementAndGet() / REQUESTS_IN_MILLI;
  }
}
