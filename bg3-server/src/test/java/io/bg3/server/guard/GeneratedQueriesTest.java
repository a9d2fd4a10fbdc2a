package io.bg3.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.answer.Refusal;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.jsr223.JavaTranslator;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tries every step that TinkerPop has, and pairs of them, with {@linkplain GeneratedQueries hostile
 * arguments}, as bytecode and as text. A query has to be refused, or to end, or to end soon after
 * an interrupt; it may not end in an error of the virtual machine, nor take much memory at once,
 * nor write if {@link WritingSteps} finds no step that may.
 *
 * <p>A step that a new version of TinkerPop brings is tried by itself, and fails by its name until
 * it is on the guard's lists. {@code -Dbg3.generated.seconds} tries for longer, {@code
 * -Dbg3.generated.seed} or {@code -Dbg3.seed} repeats.
 *
 * <p>Takes about 30 s: it finds steps that the guard does not know.
 */
class GeneratedQueriesTest {
  private static final long SECONDS = Long.getLong("bg3.generated.seconds", 30);

  /** How long a query runs before it is interrupted. */
  private static final long RUN_MILLIS = 150;

  /** The processor time that it may take after that. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The most that counts of what passes between two looks at a thread: the rest was a pause. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How often a query is tried that fails, since a pause of the machine lets it run for longer. */
  private static final int ATTEMPTS = 3;

  /** The most that a query allocates a second, whatever it does, with much room. */
  private static final long ALLOCATED = 4L << 30;

  private static final int VERTICES = 30;

  private static Bg3Graph graph;
  private static GraphTraversalSource g;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final List<String> failures = new ArrayList<>();
  private int refused;
  private int failed;
  private int ended;
  private int interrupted;

  @BeforeAll
  static void open() {
    graph = Bg3Graph.open();
    g = graph.traversal().withStrategies(new ValueLimit(ValidatedMessages.LIMITS));
    List<Vertex> vertices = new ArrayList<>();
    for (int i = 0; i < VERTICES; i++) {
      vertices.add(g.addV("a").property("name", "v" + i).property("x", i).next());
    }
    for (Vertex from : vertices) {
      vertices.forEach(to -> g.V(from).addE("b").to(to).property("weight", 0).iterate());
    }
    graph.tx().commit();
  }

  @AfterAll
  static void close() {
    graph.close();
  }

  @Test
  void everyMethodOfATraversalIsOnTheGuardsLists() {
    TreeSet<String> unknown = new TreeSet<>();
    for (Method method : GeneratedQueries.steps()) {
      if (!AllowList.isKnown(method.getName())) {
        unknown.add(method.getName());
      }
    }
    assertEquals(List.of(), List.copyOf(unknown), "not on AllowList's lists");
  }

  @Test
  void everyMethodWithANumberOrATextIsOnTheListOfArguments() {
    TreeSet<String> unknown = new TreeSet<>();
    for (Method method : GeneratedQueries.steps()) {
      for (Class<?> type : method.getParameterTypes()) {
        boolean counts = type.isPrimitive() || type == String.class || type == String[].class;
        if (counts
            && AllowList.isStep(method.getName())
            && !ArgumentLimits.isKnown(method.getName())) {
          unknown.add(method.getName());
        }
      }
    }
    assertEquals(List.of(), List.copyOf(unknown), "not on ArgumentLimits' lists");
  }

  @Test
  void everyClassOfAStepIsOnTheListsOfWhatItMakes() throws IOException, URISyntaxException {
    TreeSet<String> unknown = new TreeSet<>();
    int own = 0;
    for (Class<?> type : StepClasses.ofTraversals()) {
      own += type.getPackageName().startsWith("io.bg3.") ? 1 : 0;
      if (!StepResults.isKnown(type)) {
        unknown.add(type.getSimpleName());
      }
    }
    assertEquals(List.of(), List.copyOf(unknown), "not on Growth's lists");
    assertTrue(own > 4, "BG3's own steps: " + own);
  }

  @Test
  void noQueryKeepsItsThread() throws InterruptedException {
    long seed = Long.getLong("bg3.generated.seed", Seeds.one());
    GeneratedQueries queries = new GeneratedQueries(new Random(seed));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    List<Method> steps = GeneratedQueries.steps();
    int count = 0;
    for (int round = 0; failures.isEmpty() && (round == 0 || System.nanoTime() < end); round++) {
      for (Method step : steps) {
        Bytecode query = queries.start();
        Bytecode tried = new Bytecode();
        boolean added = queries.add(tried, step, 0);
        if (round > 1) {
          queries.add(tried, queries.one(steps), 0);
        }
        if (added) {
          queries.wrap(query, tried);
          count++;
          run(query, count % 2 == 0);
        }
        boolean isSeen = round > 0 || (refused > 0 && ended > 0 && failed > 0);
        if (!failures.isEmpty() || (isSeen && System.nanoTime() > end)) {
          break;
        }
      }
    }
    String done =
        "queries=%d, refused=%d, failed=%d, ended=%d, interrupted=%d, -Dbg3.seed=%d"
            .formatted(count, refused, failed, ended, interrupted, seed);
    System.out.println("GeneratedQueriesTest: " + done);
    assertEquals(List.of(), failures, done);
    assertTrue(refused > 0 && ended > 0 && failed > 0, done);
  }

  /** The most hops that the limit of steps allows, which call each other. */
  @Test
  void theLongestQueryFitsIntoTheStackOfAWorker() throws InterruptedException {
    for (String hop : List.of("out", "toE", "both")) {
      Bytecode nested = new Bytecode();
      nested.addStep(hop, hop.equals("toE") ? Direction.OUT : "nothing");
      Bytecode query = new Bytecode();
      query.addStep("V");
      query.addStep("repeat", nested);
      query.addStep("times", 1_600); // each is counted with repeat() and times()
      run(query, false);
    }
    assertEquals(List.of(), failures);
    assertEquals(0, refused);
  }

  private void run(Bytecode query, boolean asText) throws InterruptedException {
    String text = asText ? QueryTexts.text(query) : "";
    for (int attempt = 1; ; attempt++) {
      Run run = new Run(query, text);
      Thread thread = new Thread(null, run, "query", Scheduler.STACK_BYTES);
      thread.setDaemon(true);
      thread.start();
      thread.join(RUN_MILLIS);
      boolean late = thread.isAlive();
      if (late) {
        thread.interrupt();
        awaitEnd(thread);
      }
      String failure = failure(thread, run);
      if (failure == null) {
        count(run, late);
        return;
      } else if (attempt == ATTEMPTS) {
        failures.add(failure + ", query=" + shown(query));
        return;
      }
    }
  }

  /** The fault of a query that has run; null if there is none. */
  private static String failure(Thread thread, Run run) {
    StackTraceElement[] trace = thread.getStackTrace();
    if (thread.isAlive()) {
      return "does not end:" + shown(trace, 40);
    } else if (run.error != null) {
      return "ends in an error: " + run.error + shown(run.error.getStackTrace(), 25);
    }
    double seconds = Math.max(1, run.nanos / 1e9);
    return run.allocated > ALLOCATED * seconds ? "allocates bytes=" + run.allocated : null;
  }

  private void count(Run run, boolean late) {
    refused += run.refused ? 1 : 0;
    failed += run.failed ? 1 : 0;
    interrupted += late ? 1 : 0;
    ended += !late && !run.refused && !run.failed ? 1 : 0;
  }

  /** Waits until a thread ends or has computed for too long, however busy the machine is. */
  private void awaitEnd(Thread thread) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5); // a thread that waits for ever
    long computed = 0;
    long last = threads.getThreadCpuTime(thread.getId());
    while (thread.isAlive() && computed < END_NANOS && System.nanoTime() < end) {
      thread.join(100);
      long now = threads.getThreadCpuTime(thread.getId()); // -1 behind its end
      computed += Math.min(Math.max(0, now - last), LOOK_NANOS);
      last = now;
    }
  }

  private static String shown(StackTraceElement[] trace, int most) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < Math.min(most, trace.length); i++) {
      shown.append("\n    ").append(trace[i]);
    }
    return shown.toString();
  }

  private static String shown(Bytecode query) {
    String text = query.toString();
    StringBuilder shown = new StringBuilder();
    String[] words = text.split("(?<=[,\\[\\]])", -1);
    for (String word : words) {
      shown.append(word.length() > 60 ? word.substring(0, 60) + "…" + word.length() : word);
      if (shown.length() > 3_000) {
        return shown + "…";
      }
    }
    return shown.toString();
  }

  /** One query, from its judgement to its last result. */
  private final class Run implements Runnable {
    private final Bytecode query;
    private final String text;
    private volatile Throwable error;
    private volatile boolean refused;
    private volatile boolean failed;
    private volatile long allocated;
    private volatile long nanos;

    Run(Bytecode query, String text) {
      this.query = query;
      this.text = text;
    }

    @Override
    public void run() {
      long begin = System.nanoTime();
      long before = threads.getCurrentThreadAllocatedBytes();
      try {
        Traversal<?, ?> traversal;
        if (text.isEmpty()) {
          ValidatedMessages.JUDGE.validate(query);
          traversal = JavaTranslator.of(g).translate(query);
        } else {
          ValidatedMessages.JUDGE.validate(text);
          traversal = Growing.traversal(text, g);
        }
        traversal.asAdmin().applyStrategies();
        if (!WritingSteps.areIn(traversal.asAdmin(), graph)) {
          graph.openReadOnly();
        }
        while (traversal.hasNext()) {
          traversal.next();
        }
      } catch (Refusal e) {
        refused = true;
      } catch (Exception e) {
        failed = true;
        if (String.valueOf(e.getMessage()).contains("the transaction is read-only")) {
          error = e;
        }
      } catch (Throwable e) {
        error = e;
      } finally {
        graph.tx().rollback();
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
        nanos = System.nanoTime() - begin;
      }
    }
  }
}
