package io.bg3.server.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.CommitGuard;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.groovy.engine.GremlinExecutor;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.GraphOp;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.server.Context;
import org.apache.tinkerpop.gremlin.server.OpProcessor;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.handler.Frame;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.server.op.OpProcessorException;
import org.apache.tinkerpop.gremlin.server.op.standard.StandardOpProcessor;
import org.apache.tinkerpop.gremlin.server.op.traversal.TraversalOpProcessor;
import org.apache.tinkerpop.gremlin.server.util.DefaultGraphManager;
import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gives requests to the processors of this server and to those of TinkerPop that they replace, and
 * compares everything that a client or the graph can see: the answers, the calls of the graph
 * manager and the commits in their order, what is in the graph afterwards, and whether a
 * transaction is left open.
 */
class ProcessorsTest {
  private static final UUID ID = new UUID(1, 2);
  private static final String NAME = "name";
  private static final GraphTraversalSource G = EmptyGraph.instance().traversal();

  /** Failures outside of the query. */
  private static final List<Consumer<Setting>> AROUND =
      List.of(
          one -> one.beforeQuery = new IllegalStateException("before"),
          one -> one.beforeQuery = new Later("before"),
          one -> one.onSuccess = new IllegalStateException("success"),
          one -> one.onSuccess = new IllegalStateException("success", new Later("cause")),
          one -> one.onCommit = new IllegalStateException("commit"),
          one -> one.onCommit = new IllegalStateException((String) null),
          one -> one.onCommit = new Later("commit"),
          one -> one.onCommit = new StackOverflowError("deep"),
          one -> one.isInterrupted = true,
          one -> one.isClosed = true,
          one -> one.isRejected = true,
          one -> one.isInTransaction = true);

  /** How a request meets the server. */
  private static final class Setting {
    private final String name;
    private final RequestMessage.Builder request;
    private Consumer<Settings> settings = unused -> {};
    private RuntimeException beforeQuery;
    private RuntimeException onSuccess;
    private Throwable onCommit;
    private boolean isInterrupted;
    private boolean isClosed;
    private boolean isRejected;
    private boolean isInTransaction;

    private Setting(String name, RequestMessage.Builder request) {
      this.name = name;
      this.request =
          request.overrideRequestId(ID).addArg(Tokens.ARGS_EVAL_TIMEOUT, 0L); // as the server does
    }

    Setting with(String argument, Object value) {
      request.addArg(argument, value);
      return this;
    }

    Setting but(Consumer<Setting> change) {
      change.accept(this);
      return this;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final class Later extends RuntimeException implements TemporaryException {
    private static final long serialVersionUID = 1L;

    Later(String message) {
      super(message);
    }
  }

  private static Setting bytecode(String name, Traversal<?, ?> traversal) {
    return bytecode(name, traversal.asAdmin().getBytecode());
  }

  private static Setting bytecode(String name, Object query) {
    RequestMessage.Builder request =
        RequestMessage.build(Tokens.OPS_BYTECODE).processor("traversal");
    return new Setting(name, request)
        .with(Tokens.ARGS_GREMLIN, query)
        .with(Tokens.ARGS_ALIASES, Map.of("g", "g"));
  }

  private static Setting text(String text) {
    RequestMessage.Builder request = RequestMessage.build(Tokens.OPS_EVAL);
    return new Setting(text, request)
        .with(Tokens.ARGS_GREMLIN, text)
        .with(Tokens.ARGS_LANGUAGE, "gremlin-lang");
  }

  /** A query that no driver makes. */
  private static Bytecode steps(Object... namesAndArguments) {
    Bytecode query = new Bytecode();
    for (int i = 0; i < namesAndArguments.length; i += 2) {
      query.addStep((String) namesAndArguments[i], namesAndArguments[i + 1]);
    }
    return query;
  }

  private static Stream<Setting> around(IntFunction<Setting> request) {
    return IntStream.range(0, AROUND.size()).mapToObj(i -> request.apply(i).but(AROUND.get(i)));
  }

  static Stream<Setting> traversals() {
    Stream<Setting> settings =
        Stream.of(
            bytecode("results", G.V().values(NAME)),
            bytecode("parts", G.V().values(NAME)).with(Tokens.ARGS_BATCH_SIZE, 2),
            bytecode("bulk", G.inject(1, 1, 1, 2)),
            bytecode("path", G.V().values(NAME).as("a").path()),
            bytecode("nothing", G.V().hasLabel("none")),
            bytecode("elements", G.V()),
            bytecode("references", G.V())
                .with(Tokens.ARGS_MATERIALIZE_PROPERTIES, Tokens.MATERIALIZE_PROPERTIES_TOKENS),
            bytecode("write", G.addV("written").label()),
            bytecode("write without a result", G.addV("written").values("none")),
            bytecode("sack", G.withSack(1).V().sack()),
            bytecode("nested", G.V().where(__.values(NAME).is("b")).values(NAME)),
            bytecode("fail step", G.addV("written").constant(1).fail("why")),
            bytecode("nested fail step", G.V().map(__.fail("why"))),
            bytecode(
                "fails while it runs", G.addV("written").property(NAME, "x").values(NAME).sum()),
            bytecode("fails in a part", G.<Object>inject(1, "a").math("_ + 1"))
                .with(Tokens.ARGS_BATCH_SIZE, 1),
            bytecode("fails to be written", G.inject(new Object())),
            bytecode("no such step", steps("nope", 1)),
            bytecode("no such arguments", steps("V", 1, "out", 1)),
            bytecode("commit", GraphOp.TX_COMMIT.getBytecode()),
            bytecode("lambda", G.V().map(Lambda.function("it", "gremlin-none"))),
            bytecode("no bytecode", "g.V()"),
            bytecode("no source", G.V()).with(Tokens.ARGS_ALIASES, Map.of("g", "none")),
            bytecode("other name", G.V()).with(Tokens.ARGS_ALIASES, Map.of("h", "g")),
            bytecode("two names", G.V()).with(Tokens.ARGS_ALIASES, Map.of("g", "g", "h", "g")),
            new Setting(
                    "no query", RequestMessage.build(Tokens.OPS_BYTECODE).processor("traversal"))
                .with(Tokens.ARGS_ALIASES, Map.of("g", "g")),
            new Setting(
                    "no aliases", RequestMessage.build(Tokens.OPS_BYTECODE).processor("traversal"))
                .with(Tokens.ARGS_GREMLIN, steps("V", 1)),
            new Setting("no operation", RequestMessage.build("nope").processor("traversal")),
            new Setting(
                "invalid operation",
                RequestMessage.build(Tokens.OPS_INVALID).processor("traversal")));
    return Stream.concat(settings, around(i -> bytecode("around " + i, G.addV("written").label())));
  }

  static Stream<Setting> texts() {
    Map<String, Object> many = new HashMap<>();
    for (int i = 0; i < 17; i++) {
      many.put("x" + i, i);
    }
    Map<Object, Object> unnamed = new HashMap<>();
    unnamed.put(null, 1);
    Stream<Setting> settings =
        Stream.of(
            text("g.V().values('name')"),
            text("g.V().values('name').fold()").with(Tokens.ARGS_BATCH_SIZE, 2),
            text("g.V().values('name').order()").with(Tokens.ARGS_BATCH_SIZE, 2),
            text("g.V().hasLabel('none')"),
            text("g.V().count().next()"),
            text("g.addV('written').iterate()"),
            text("g.V()"),
            text("g.V().hasLabel('person')")
                .with(Tokens.ARGS_MATERIALIZE_PROPERTIES, Tokens.MATERIALIZE_PROPERTIES_TOKENS),
            text("g.addV('written').label()"),
            text("g.addV('written').constant(1).fail('why')"),
            text("g.V().map(__.fail('why'))"),
            text("g.addV('written').property('name', 'x').values('name').sum()"),
            text("g.inject(1, 'a').math('_ + 1')").with(Tokens.ARGS_BATCH_SIZE, 1),
            text("g.inject(x)").with(Tokens.ARGS_BINDINGS, Map.of("x", new Object())),
            text("g.inject(x)").with(Tokens.ARGS_BINDINGS, Map.of("x", 5)),
            text("g.inject(y)").with(Tokens.ARGS_BINDINGS, Map.of("x", 5)),
            text("g.inject(id)").with(Tokens.ARGS_BINDINGS, Map.of("id", 5)),
            text("g.inject(x1)").with(Tokens.ARGS_BINDINGS, many),
            text("g.inject(2)").with(Tokens.ARGS_BINDINGS, unnamed),
            text("g.nope()"),
            text("g.V("),
            text(""),
            text("h.V()").with(Tokens.ARGS_ALIASES, Map.of("h", "g")),
            text("g.V().id()").with(Tokens.ARGS_ALIASES, Map.of("g", "g")),
            text("g.V().label()").with(Tokens.ARGS_ALIASES, Map.of("g", "none")),
            text("g.V().limit(1)").with(Tokens.ARGS_ALIASES, Map.of("g", "graph")),
            text("g.V().limit(2)")
                .but(one -> one.settings = to -> to.strictTransactionManagement = true),
            text("g.addV('written').values('name')")
                .with(Tokens.ARGS_ALIASES, Map.of("g", "g"))
                .but(one -> one.settings = to -> to.strictTransactionManagement = true),
            new Setting("no query", RequestMessage.build(Tokens.OPS_EVAL)),
            new Setting("no operation", RequestMessage.build("nope")),
            new Setting("invalid operation", RequestMessage.build(Tokens.OPS_INVALID)));
    return Stream.concat(
        settings, around(i -> text("g.addV('written').property('i', " + i + ").label()")));
  }

  /** The graph of the test, with a record of what is asked of it. */
  private final class Recording extends DefaultGraphManager {
    private final Setting setting;

    Recording(Settings settings, Setting setting) {
      super(settings);
      this.setting = setting;
      putGraph("graph", graph);
      putTraversalSource("g", graph.traversal());
    }

    @Override
    public void beforeQueryStart(RequestMessage request) {
      seen.add("before");
      fail(setting.beforeQuery);
    }

    @Override
    public void onQuerySuccess(RequestMessage request) {
      seen.add("success");
      fail(setting.onSuccess);
    }

    @Override
    public void onQueryError(RequestMessage request, Throwable error) {
      seen.add("error " + error.getClass().getName() + ": " + error.getMessage());
    }
  }

  private static void fail(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    } else if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  /** Runs tasks at once, in the calling thread. */
  private static final class Here extends AbstractExecutorService {
    private final boolean isRejecting;

    Here(boolean isRejecting) {
      this.isRejecting = isRejecting;
    }

    @Override
    public void execute(Runnable task) {
      if (isRejecting) {
        throw new RejectedExecutionException();
      }
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }

  /** Records the answers. */
  private final class Answers extends Context {
    Answers(
        RequestMessage request,
        ChannelHandlerContext channel,
        Settings settings,
        Recording manager,
        GremlinExecutor executor) {
      super(request, channel, settings, manager, executor, timers);
    }

    @Override
    public void writeAndFlush(ResponseStatusCode code, Object answer) {
      seen.add(code + " " + shown(code, answer));
    }
  }

  private static String shown(ResponseStatusCode code, Object answer) {
    if (answer instanceof Frame frame) {
      String bytes = ByteBufUtil.hexDump((ByteBuf) frame.getMsg());
      frame.tryRelease();
      return bytes;
    }
    ResponseMessage message = (ResponseMessage) answer;
    if (code == ResponseStatusCode.SERVER_ERROR_TIMEOUT) {
      return ""; // RequestContext has a text of its own
    }
    Map<String, Object> attributes = new TreeMap<>(message.getStatus().getAttributes());
    attributes.computeIfPresent(
        Tokens.STATUS_ATTRIBUTE_STACK_TRACE,
        (key, trace) -> trace.toString().lines().findFirst().orElse(""));
    return message.getRequestId()
        + " "
        + message.getStatus().getMessage()
        + " "
        + attributes
        + " "
        + message.getResult().getData();
  }

  private final List<String> seen = new ArrayList<>();
  private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1);
  private Bg3Graph graph;
  private Throwable onCommit;

  @BeforeEach
  void open() {
    graph = Bg3Graph.open();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      graph.traversal().addV("person").property(NAME, name).iterate();
    }
    graph.tx().commit();
    graph.guardCommits(
        new CommitGuard() {
          @Override
          public void beforeCommit() {
            seen.add("commit of the graph");
            fail(onCommit);
          }

          @Override
          public void afterCommit() {}

          @Override
          public void beforeServiceWrites() {}
        });
  }

  @AfterEach
  void close() {
    timers.shutdownNow();
    graph.close();
  }

  @ParameterizedTest
  @MethodSource("traversals")
  void aTraversalIsRunAsTinkerPopRunsIt(Setting setting) throws Exception {
    List<String> stock = run(setting, (executor, manager, settings) -> new TraversalOpProcessor());
    assertEquals(stock, run(setting, (executor, manager, settings) -> new BytecodeProcessor()));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void aTextIsRunAsTinkerPopRunsIt(Setting setting) throws Exception {
    List<String> stock = run(setting, (executor, manager, settings) -> new StandardOpProcessor());
    assertEquals(stock, run(setting, ProcessorsTest::texts));
  }

  @ParameterizedTest
  @MethodSource("timed")
  void aTextWithATimeOfItsOwnLeavesNoTimer(Setting setting) throws Exception {
    List<String> seenHere = run(setting, ProcessorsTest::texts);
    assertEquals(0, timers.getTaskCount(), seenHere::toString);
    List<String> stock = run(setting, (executor, manager, settings) -> new StandardOpProcessor());
    assertFalse(timers.getTaskCount() == 0, stock::toString);
    assertEquals(stock, seenHere);
  }

  static Stream<Setting> timed() {
    return Stream.of(
        text("g.with('evaluationTimeout', 60000).V().values('name')"),
        text("g.with('evaluationTimeout', 60000).V().values('name').sum()"));
  }

  private interface Maker {
    OpProcessor processor(GremlinExecutor executor, Recording manager, Settings settings);
  }

  private static OpProcessor texts(GremlinExecutor executor, Recording manager, Settings settings) {
    return new TextProcessor(
        settings,
        executor.getScriptEngineManager().getEngineByName("gremlin-lang"),
        manager.getAsBindings());
  }

  private List<String> run(Setting setting, Maker maker) throws Exception {
    seen.clear();
    Settings settings = new Settings();
    setting.settings.accept(settings);
    Recording manager = new Recording(settings, setting);
    EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    channel.attr(StateKey.SERIALIZER).set(new GraphBinaryMessageSerializerV1());
    channel.attr(StateKey.USE_BINARY).set(true);
    ChannelHandlerContext handler = channel.pipeline().firstContext();
    if (setting.isClosed) {
      channel.close().sync();
    }
    if (setting.isInTransaction) {
      graph.traversal().addV("written").iterate();
    }
    GremlinExecutor executor =
        GremlinExecutor.build()
            .executorService(new Here(setting.isRejected))
            .scheduledExecutorService(timers)
            .globalBindings(manager.getAsBindings())
            .create();
    try {
      Context context = new Answers(setting.request.create(), handler, settings, manager, executor);
      OpProcessor processor = maker.processor(executor, manager, settings);
      onCommit = setting.onCommit;
      if (setting.isInterrupted) {
        Thread.currentThread().interrupt();
      }
      try {
        processor.select(context).accept(context);
      } catch (OpProcessorException e) {
        seen.add(e.getMessage());
        context.writeAndFlush(e.getResponseMessage());
      }
    } finally {
      boolean unused = Thread.interrupted();
      onCommit = null;
      var unusedToo = channel.close();
      executor.close();
    }
    seen.add("open: " + graph.tx().isOpen());
    graph.tx().rollback();
    seen.add("written: " + graph.traversal().V().hasLabel("written").count().next());
    List<String> result = List.copyOf(seen);
    graph.traversal().V().hasLabel("written").drop().iterate();
    graph.tx().commit();
    return result;
  }
}
