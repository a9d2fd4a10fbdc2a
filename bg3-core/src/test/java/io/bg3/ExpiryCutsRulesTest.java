package io.bg3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Expiry;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.transaction.ConflictException;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Cuts the power of stores whose edges expire, at any write of their work and of their openings,
 * and compares what is there with a model after each opening. Edges of labels with a time to live,
 * in a named family and without one, and of labels whose edges stay are added, renewed, overwritten
 * and removed, vertices are removed and move to trees of their own, extents expire, and leaves are
 * flushed and evicted. The clock of the system goes on, jumps, and is put back, in a life of a
 * store and between two.
 *
 * <p>The clock of a store is that of its newest commit after a cut, if the clock of the system is
 * behind it. The model takes the time of the newest commit from the store, requires that it is not
 * below that of the last commit that has returned, and derives from it which edges are there.
 *
 * <p>{@code -Dbg3.torture.expiry.lives=N} makes it longer; {@code -Dbg3.seed=N} repeats a run as
 * far as its threads allow.
 */
class ExpiryCutsRulesTest {
  private static final int LIVES = Integer.getInteger("bg3.torture.expiry.lives", 20);
  private static final int LIVES_OF_A_STORE = 16;

  /** Events that each must happen once; the test goes on until they have. */
  private static final List<String> WANTED =
      List.of("cuts in openings", "cuts in work", "dedicated", "expired", "put back", "renewed");

  private static final int MOST_LIVES = 20 * LIVES;
  private static final int VERTICES = 24;

  /** Most edges begin at one of so many vertices, which move to trees of their own. */
  private static final int HEAVY = 3;

  private static final int TTL = 400;
  private static final int LONG_TTL = 1_500;
  private static final int HOUR = 3_600_000;

  /** So long a store is given to find extents that have expired. */
  private static final long EXTENTS_MILLIS = 700;

  private static final Map<String, EdgeLabelForm> FORMS = forms();
  private static final List<String> LABELS = List.copyOf(FORMS.keySet());

  private final long seed = Seeds.one();
  private final Random random = Seeds.random(seed);
  private final Map<String, Integer> counts = new TreeMap<>();
  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
  private CrashingDisk disk;
  private Bg3 store;

  /** The edges that all certain commits have left, by the texts of their ids. */
  private State state;

  /** The edges if the commit with an unknown outcome has happened; null if there is none. */
  private State pending;

  private long ahead; // of the store's clock
  private long now; // by the store's clock
  private long acknowledged; // the time of the newest commit that has returned

  /** An edge; {@link Long#MAX_VALUE} is the expiry of one that stays. */
  private record Edge(EdgeId id, String label, long expires, int n) {
    boolean isAlive(long at) {
      return expires > at;
    }

    boolean touches(long vertex) {
      return id.source() == vertex || id.target() == vertex;
    }
  }

  /** Edges and vertices, expired edges among them for as long as a cut may bring them back. */
  private record State(TreeMap<String, Edge> edges, TreeSet<Long> vertices) {
    State copy() {
      return new State(new TreeMap<>(edges), new TreeSet<>(vertices));
    }

    /** The numbers of the edges that have not expired. */
    SortedMap<String, Integer> shown(long at) {
      SortedMap<String, Integer> shown = new TreeMap<>();
      edges.values().stream()
          .filter(edge -> edge.isAlive(at))
          .forEach(edge -> shown.put(edge.id().text(), edge.n()));
      return shown;
    }
  }

  private static Map<String, EdgeLabelForm> forms() {
    EdgeLabelForm plain = EdgeLabelForm.plain();
    Map<String, EdgeLabelForm> forms = new TreeMap<>();
    forms.put("passes", plain.withTtl(TTL).inFamily("passing"));
    forms.put("passesInOrder", plain.orderedBy("time", SortOrder.DESCENDING).inFamily("passing"));
    forms.put("passesLate", plain.withTtl(LONG_TTL));
    forms.put("stays", plain);
    forms.put("staysApart", plain.inFamily("staying"));
    return forms;
  }

  private static long ttl(String label) {
    return switch (label) {
      case "passes", "passesInOrder" -> TTL;
      case "passesLate" -> LONG_TTL;
      default -> 0;
    };
  }

  private static Settings settings() {
    return Settings.defaults()
        .with("bg3.memory.budget", "16m")
        .with("bg3.page.capacity", "1k")
        .with("bg3.page.consolidate", "3")
        .with("bg3.value.threshold", "256")
        .with("bg3.extent.size", "64k")
        .with("bg3.log.segment.min", "64k")
        .with("bg3.log.segment.max", "64k")
        .with("bg3.log.limit", "256k")
        .with("bg3.init.trees", "2")
        .with("bg3.forest.split-out", "8")
        .with("bg3.stripes", "64");
  }

  @RuleTest(
      rule = 13,
      twins = {
        @Twin(
            name = "the clock of an opening begins at the time of the system",
            in = "io.bg3.core.snapshot.StoreClock",
            method = "<init>",
            without = "Math.max"),
        @Twin(
            name = "replay drops the stamps of entries that may expire",
            in = "io.bg3.core.entry.Pruning",
            method = "pruneKey",
            without = "Entries.keepsStamp"),
        @Twin(
            name = "a renewal leaves one end of an edge to its old time",
            in = "io.bg3.core.graph.Edges",
            method = "put",
            without = "Transaction.putEdge",
            nth = 2)
      })
  void whatIsThereBehindACutIsWhatHasNotExpired() throws Exception {
    while (count("lives") < LIVES || (!missing().isEmpty() && count("lives") < MOST_LIVES)) {
      if (count("lives") % LIVES_OF_A_STORE == 0) {
        disk = new CrashingDisk();
        state = new State(new TreeMap<>(), new TreeSet<>());
        pending = null;
        acknowledged = 0;
      }
      count("lives", 1);
      live();
    }
    System.out.println("expiry and power cuts: seed=" + seed + ", " + counts);
    assertEquals(List.of(), missing(), this::at);
  }

  private List<String> missing() {
    return WANTED.stream().filter(what -> count(what) == 0).toList();
  }

  private String at() {
    return Seeds.say(seed) + ", " + counts;
  }

  /** From an opening, or the try of one, to the next cut. */
  private void live() throws InterruptedException {
    disk.cutAtWrite(1 + random.nextInt(random.nextInt(3) == 0 ? 15 : 400));
    try {
      open();
    } catch (AssertionError e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      expectCut(e);
      count("cuts in openings", 1);
      nextDisk(null);
      return;
    }
    try {
      judge();
      work();
    } catch (AssertionError e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      expectCut(e);
      count("cuts in work", 1);
    } finally {
      StoreStats stats = store.stats();
      stats.families().forEach(family -> count("expired", (int) family.expired()));
      count("dedicated", (int) stats.trees().dedicated());
      nextDisk(store);
    }
  }

  private void open() throws IOException {
    store = Bg3.open(settings(), disk, clock::get);
    long newest = store.transactions().issued() >>> Expiry.STAMP_SHIFT;
    ahead = Math.max(0, newest - clock.get());
    now = clock.get() + ahead;
    assertTrue(newest >= acknowledged, () -> "a commit is lost, " + at());
    GraphStore graph = store.graph();
    graph.defineFamily(new EdgeFamily("passing").withTtl(TTL).withSplitOut(8));
    graph.defineFamily(new EdgeFamily("staying").withSplitOut(8));
    FORMS.forEach(graph::declareEdgeLabel);
  }

  /** The milliseconds that the store's clock says from now on. */
  private long look() {
    now = Math.max(now, clock.get() + ahead);
    return now;
  }

  private void pass(int millis) {
    clock.addAndGet(millis);
    look();
  }

  /** Decides whether the last commit is there whose outcome was not known. */
  private void judge() {
    State found = found();
    if (pending != null && !isShown(state, found)) {
      state = pending;
      count("unknown, there", 1);
    }
    pending = null;
    assertEquals(state.vertices(), found.vertices(), this::at);
    assertEquals(state.shown(now), found.shown(now), this::at);
    assertEquals(List.of(), store.check(looked -> {}), this::at);
    count("judged", 1);
  }

  private boolean isShown(State expected, State found) {
    return expected.vertices().equals(found.vertices())
        && expected.shown(now).equals(found.shown(now));
  }

  private void work() throws IOException, InterruptedException {
    GraphTransaction reader = null;
    SortedMap<String, Integer> shown = null;
    for (int step = 0; step < 40; step++) {
      letTimePass();
      transaction();
      switch (random.nextInt(12)) {
        case 0 -> store.checkpoint();
        case 1 -> store.flush(1 + random.nextInt(20));
        case 2 -> {
          store.evict();
          store.move();
        }
        default -> {}
      }
      if (reader == null) {
        shown = state.shown(look());
        reader = store.graph().beginReadOnly();
      } else if (random.nextInt(4) == 0) {
        assertEquals(shown, edges(reader).shown(0), this::at);
        reader.close();
        reader = null;
      }
      if (step % 10 == 9) {
        State found = found();
        assertEquals(state.shown(now), found.shown(now), this::at);
      }
    }
  }

  /** By a little, by a jump, to the end of a time to live, or back, which the store ignores. */
  private void letTimePass() throws IOException, InterruptedException {
    switch (random.nextInt(24)) {
      case 0, 1 -> pass(random.nextInt(TTL));
      case 2 -> pass(random.nextInt(2 * LONG_TTL));
      case 3 -> {
        store.graph().beginReadOnly().close(); // the store looks at the clock before it goes back
        pass(-random.nextInt(TTL));
      }
      case 4 -> {
        pass(TTL);
        letExtentsExpire();
      }
      default -> pass(random.nextInt(15));
    }
  }

  /** Gives the thread that looks for them some time; then a checkpoint deletes them. */
  private void letExtentsExpire() throws IOException, InterruptedException {
    count("waits for extents", 1);
    BooleanSupplier done =
        () -> disk.isCut() || store.stats().families().stream().anyMatch(f -> f.expired() > 0);
    long end = System.nanoTime() + EXTENTS_MILLIS * 1_000_000;
    while (!done.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    store.checkpoint();
  }

  private void transaction() {
    State next = state.copy();
    long begun = look();
    long relied = Long.MAX_VALUE;
    try (GraphTransaction graph = store.graph().begin()) {
      addVertices(graph, next);
      for (int i = random.nextInt(30); i > 0; i--) {
        relied = Math.min(relied, step(graph, next, begun));
      }
      if (random.nextInt(20) == 0) {
        removeVertex(graph, next, begun);
      }
      boolean waited = random.nextInt(8) == 0;
      if (waited) {
        pass(random.nextInt(TTL / 2));
      }
      long committed = look();
      next.edges().replaceAll((id, edge) -> edge.expires() < 0 ? dated(edge, committed) : edge);
      pending = next;
      try {
        graph.commit();
      } catch (ConflictException e) {
        pending = null;
        assertTrue(waited, () -> at() + ": " + e.getMessage());
        return;
      }
      assertTrue(relied > committed, () -> "a commit relied on what has expired, " + at());
      pending = null;
      state = next;
      acknowledged = store.transactions().visible() >>> Expiry.STAMP_SHIFT; // it may be empty
      state.edges().values().removeIf(edge -> !edge.isAlive(acknowledged));
      count("commits", 1);
    }
  }

  private static Edge dated(Edge edge, long committed) {
    long ttl = ttl(edge.label());
    long expires = ttl == 0 ? Long.MAX_VALUE : committed + ttl;
    return new Edge(edge.id(), edge.label(), expires, edge.n());
  }

  private static void addVertices(GraphTransaction graph, State next) {
    for (long vertex = 1; vertex <= VERTICES; vertex++) {
      if (next.vertices().add(vertex)) {
        graph.addVertex(vertex, "v");
      }
    }
  }

  private void removeVertex(GraphTransaction graph, State next, long begun) {
    long vertex = 1L + random.nextInt(VERTICES);
    graph.removeVertex(vertex);
    next.vertices().remove(vertex);
    next.edges()
        .values()
        .removeIf(edge -> edge.touches(vertex) && (edge.expires() < 0 || edge.isAlive(begun)));
  }

  /**
   * Adds, renews, or removes an edge.
   *
   * @return when the edge expires that this relies on; {@link Long#MAX_VALUE} if never
   */
  private long step(GraphTransaction graph, State next, long begun) {
    int what = random.nextInt(10);
    List<Edge> alive = what < 7 ? List.of() : alive(next, begun);
    int n = random.nextInt(1_000);
    if (alive.isEmpty()) {
      long source = 1L + random.nextInt(random.nextBoolean() ? HEAVY : VERTICES);
      long target = 1L + random.nextInt(VERTICES);
      String label = LABELS.get(random.nextInt(LABELS.size()));
      Map<String, Object> properties = new HashMap<>(Map.of("n", n, "text", text()));
      if (label.equals("passesInOrder")) {
        properties.put("time", (long) n);
      }
      EdgeId id = graph.addEdge(source, label, target, null, properties);
      next.edges().put(id.text(), new Edge(id, label, -1, n));
      return Long.MAX_VALUE;
    }
    Edge edge = alive.get(random.nextInt(alive.size()));
    if (what < 9) {
      graph.setEdgeProperty(edge.id(), "n", n);
      if (random.nextInt(3) == 0) {
        graph.setEdgeProperty(edge.id(), "text", text());
      }
      next.edges().put(edge.id().text(), new Edge(edge.id(), edge.label(), -1, n));
      count("renewed", 1);
    } else {
      graph.removeEdge(edge.id());
      next.edges().remove(edge.id().text());
    }
    return edge.expires() < 0 ? Long.MAX_VALUE : edge.expires();
  }

  /** One that the transaction has written itself expires at -1 so far. */
  private static List<Edge> alive(State next, long begun) {
    return next.edges().values().stream()
        .filter(edge -> edge.expires() < 0 || edge.isAlive(begun))
        .toList();
  }

  /** Some are large values. Renewals put small ones in their place, and the other way round. */
  private String text() {
    byte[] bytes = new byte[random.nextInt(8) == 0 ? 400 : random.nextInt(150)];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** The edges that a new reader sees: alike by a scan, by ids, from both ends, and in numbers. */
  private State found() {
    look();
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      return edges(graph);
    }
  }

  private State edges(GraphTransaction graph) {
    State found = new State(new TreeMap<>(), new TreeSet<>());
    int key = graph.findKey("n");
    try (EdgeScan scan = graph.edges(true)) {
      while (scan.next()) {
        EdgeId id = scan.edge();
        EdgeRecord record = graph.edge(id);
        int n = record == null ? -1 : (Integer) record.property(key).value();
        found.edges().put(id.text(), new Edge(id, "", Long.MAX_VALUE, n));
      }
    }
    assertEquals(found.edges().size(), graph.edgeCount(), this::at);
    for (EdgeDirection end : List.of(EdgeDirection.OUT, EdgeDirection.IN)) {
      TreeSet<String> fromEnds = new TreeSet<>();
      for (long vertex = 1; vertex <= VERTICES; vertex++) {
        int before = fromEnds.size();
        try (EdgeScan scan = graph.edges(vertex, end, false)) {
          while (scan.next()) {
            fromEnds.add(scan.edge().text());
          }
        }
        assertEquals(
            fromEnds.size() - before, graph.countEdges(vertex, end, false, () -> {}), this::at);
      }
      assertEquals(found.edges().keySet(), fromEnds, () -> end + ", " + at());
    }
    for (long vertex = 1; vertex <= VERTICES; vertex++) {
      if (graph.vertexExists(vertex)) {
        found.vertices().add(vertex);
      }
    }
    return found;
  }

  /** A failure is right only when the power is gone. */
  private void expectCut(Throwable e) {
    if (!disk.isCut()) {
      throw new AssertionError("failed with the power on, " + at(), e);
    }
  }

  /** Goes on with what a cut or a kill has left; the clock may be put back then. */
  private void nextDisk(Bg3 left) {
    boolean kills = random.nextInt(5) == 0;
    CrashingDisk rest = kills ? disk.kill() : disk.crash(random);
    count(kills ? "kills" : "cuts", 1);
    if (left != null) {
      try {
        left.close();
      } catch (IOException | RuntimeException | Error e) {
        count("closed behind the cut", 1);
      }
    }
    disk = rest;
    clock.addAndGet(random.nextInt(300));
    if (random.nextInt(3) == 0) {
      count("put back", 1);
      clock.addAndGet(-(random.nextInt(4) == 0 ? HOUR : random.nextInt(2 * LONG_TTL)));
    }
  }

  private int count(String what) {
    return counts.getOrDefault(what, 0);
  }

  private void count(String what, int more) {
    counts.merge(what, more, Integer::sum);
  }
}
