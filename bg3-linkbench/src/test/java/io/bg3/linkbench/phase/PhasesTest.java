package io.bg3.linkbench.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.model.MemoryDatabase;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.LoadPlan;
import io.bg3.linkbench.workload.NodeDegrees;
import io.bg3.linkbench.workload.Operation;
import io.bg3.linkbench.workload.PhaseSeeds;
import io.bg3.linkbench.workload.Workloads;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Load, run, verify on maps on the heap, some of them with a planted error. */
class PhasesTest {
  private final Config config =
      Workloads.small("requests", "500", "maxtime", "36000", "warmup_time", "0");
  private final NodeDegrees degrees = new NodeDegrees(config);

  @Test
  void aLoadIsTheSameWhateverTheNumberOfLoaders() {
    MemoryDatabase one = new MemoryDatabase();
    MemoryDatabase four = new MemoryDatabase();
    AtomicLong nodes = new AtomicLong();
    LoadPhase.Outcome outcome =
        new LoadPhase(one, plan(), 1, new PhaseControl(nodes::addAndGet)).run(true);
    new LoadPhase(four, plan(), 4, new PhaseControl(by -> {})).run(true);
    assertEquals(500, nodes.get());
    assertEquals(500, outcome.nodes());
    assertTrue(outcome.links() > 500, "links=" + outcome.links());
    try (LinkSession a = one.session();
        LinkSession b = four.session()) {
      for (long id1 = 1; id1 <= 500; id1++) {
        LinkRow[] links = a.linkList(id1, Config.FIRST_LINK_TYPE, 0, Long.MAX_VALUE, 0, 1_000);
        assertEquals(
            List.of(links),
            List.of(b.linkList(id1, Config.FIRST_LINK_TYPE, 0, Long.MAX_VALUE, 0, 1_000)));
        assertEquals(degrees.count(id1, Config.FIRST_LINK_TYPE), links.length);
        assertEquals(a.node(Config.NODE_TYPE, id1), b.node(Config.NODE_TYPE, id1));
      }
    }
  }

  @Test
  void everyRequesterMakesItsRequestsAndAllAreMeasured() {
    MemoryDatabase database = loaded();
    RunPhase.Outcome outcome = run(database);
    assertEquals(3 * 500, outcome.results().count());
    assertEquals(0, outcome.results().failures());
    assertTrue(outcome.results().count(Operation.GET_LINKS_LIST) > 500);
    CountCheck check = new CountCheck(database, config, degrees, new PhaseControl(by -> {}));
    assertEquals(List.of(), check.run());
    assertTrue(check.links() > 500);
  }

  @Test
  void aRequesterGivesUpWhenTooMuchFails() {
    ThreadLocal<AtomicInteger> calls = ThreadLocal.withInitial(AtomicInteger::new);
    LinkDatabase failing =
        planted(
            loaded(),
            (method, answer) -> {
              if (method.equals("linkList") && calls.get().incrementAndGet() % 2 == 0) {
                throw new LinkStoreException("planted");
              }
              return answer;
            });
    RunPhase.Outcome outcome = run(failing);
    assertEquals(3, outcome.aborted());
    assertEquals("planted", outcome.firstFailure().getMessage());
    assertTrue(outcome.results().failures() > 300);
  }

  @Test
  void aReplayFindsNothingWhereNothingIsWrong() {
    assertEquals(List.of(), replay(new MemoryDatabase()));
  }

  @Test
  void aReplayFindsAWrongCount() {
    List<String> problems =
        replay(
            planted(
                new MemoryDatabase(),
                (method, answer) -> method.equals("countLinks") ? (Long) answer + 1 : answer));
    assertTrue(problems.get(0).contains("CountLinks"), problems.toString());
  }

  @Test
  void aReplayFindsAListInTheWrongOrder() {
    List<String> problems =
        replay(
            planted(
                new MemoryDatabase(),
                (method, answer) -> {
                  if (method.equals("linkList") && ((LinkRow[]) answer).length > 1) {
                    LinkRow[] links = (LinkRow[]) answer;
                    LinkRow first = links[0];
                    links[0] = links[1];
                    links[1] = first;
                  }
                  return answer;
                }));
    assertFalse(problems.isEmpty());
  }

  @Test
  void countsThatDoNotAgreeAreFound() {
    LinkDatabase wrong =
        planted(
            loaded(), (method, answer) -> method.equals("countLinks") ? (Long) answer + 1 : answer);
    assertEquals(
        20, new CountCheck(wrong, config, degrees, new PhaseControl(by -> {})).run().size());
  }

  private interface Change {
    Object apply(String method, Object answer);
  }

  /** A store whose sessions change what another store's answer. */
  private static LinkDatabase planted(LinkDatabase database, Change change) {
    return (LinkDatabase)
        Proxy.newProxyInstance(
            LinkDatabase.class.getClassLoader(),
            new Class<?>[] {LinkDatabase.class},
            (proxy, method, arguments) ->
                method.getName().equals("session")
                    ? planted(database.session(), change)
                    : method.invoke(database, arguments));
  }

  private static LinkSession planted(LinkSession session, Change change) {
    return (LinkSession)
        Proxy.newProxyInstance(
            LinkSession.class.getClassLoader(),
            new Class<?>[] {LinkSession.class},
            (proxy, method, arguments) -> {
              try {
                return change.apply(method.getName(), method.invoke(session, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private List<String> replay(LinkDatabase database) {
    Replay replay = new Replay(database, config, degrees, new PhaseControl(by -> {}));
    replay.load(PhaseSeeds.of(config, "load_random_seed"));
    return replay.run(PhaseSeeds.of(config, "request_random_seed"), 3_000);
  }

  private RunPhase.Outcome run(LinkDatabase database) {
    PhaseSeeds seeds = PhaseSeeds.of(config, "request_random_seed");
    return new RunPhase(database, config, degrees, seeds, new PhaseControl(by -> {})).run();
  }

  private MemoryDatabase loaded() {
    MemoryDatabase database = new MemoryDatabase();
    new LoadPhase(database, plan(), 2, new PhaseControl(by -> {})).run(true);
    return database;
  }

  private LoadPlan plan() {
    return new LoadPlan(
        config, degrees, PhaseSeeds.of(config, "load_random_seed"), 1_700_000_000_000L);
  }
}
