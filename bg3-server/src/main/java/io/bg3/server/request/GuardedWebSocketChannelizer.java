package io.bg3.server.request;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.connection.AnswerCompression;
import io.bg3.server.connection.ConnectionGate;
import io.bg3.server.connection.HandshakeDeadline;
import io.bg3.server.connection.IdleConnections;
import io.bg3.server.connection.ResponseEncoder;
import io.bg3.server.connection.UnreadAnswers;
import io.bg3.server.guard.Limits;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;

/**
 * TinkerPop's WebSocket endpoint with what keeps strangers within bounds. The event loops frame
 * messages: everything from the deserialiser on is done by the workers of the scheduler, in place
 * of TinkerPop's handlers, but for what an event loop does itself in a moment ({@link QuickReads},
 * {@link BatchReadHandler}).
 *
 * <pre>
 *   connections    a number of them, each a WebSocket before long
 *   unread         a client that does not read its answers is not read from, and closed
 *   (the gate)     bytes wait that were read while the connection is not read from any more
 *   (HTTP, WebSocket; what is sent compressed is inflated up to the size of a message)
 *   whole          frames put together to messages
 *   (the login)
 *   batch          a request that is one call of a batch of reads is answered at once
 *   frames         the bytes of a message become a queued request
 *   queue          the request is run at once if it is a short read, or waits for a worker
 * </pre>
 *
 * <p>Plain HTTP is not served here.
 */
public class GuardedWebSocketChannelizer extends WebSocketChannelizer {
  /** The handler that gets whole messages; what looks at them first is put before it. */
  protected static final String MESSAGES = "bg3-batch";

  private static final String WHOLE = "bg3-whole";
  private static final String BINARY = "application/vnd.graphbinary-v1.0";

  private GuardContext guarded;
  private Limits limits;
  private ConnectionGate connections;
  private WebSocketFrames frames;
  private Authorization authorization;
  private RequestProcessor processor;
  private boolean hasBatches;

  @Override
  public void init(ServerGremlinExecutor executor) {
    super.init(executor);
    guarded = (GuardContext) settings;
    limits = guarded.limits();
    int most = limits.connections();
    connections =
        new ConnectionGate(
            most, guarded.shares().connections(most), guarded.intake(), guarded.clientLog());
    WebSocketMessages messages =
        new WebSocketMessages(
            serializers,
            serializers.getOrDefault("application/json", new GraphSONMessageSerializerV3()),
            limits);
    frames = new WebSocketFrames(messages);
    authorization = new Authorization(authorizer, guarded.callers(), guarded);
    TraversalSource source = graphManager.getTraversalSource(GraphName.DEFAULT);
    Optional<BatchQueries> batches = Optional.empty();
    hasBatches = source.getGraph() instanceof Bg3Graph;
    if (hasBatches) {
      Optional<WatchedQueries> watch = source.getStrategies().getStrategy(WatchedQueries.class);
      batches =
          Optional.of(
              new BatchQueries(
                  graphManager, guarded, () -> watch.ifPresent(WatchedQueries::begin)));
    }
    processor = new RequestProcessor(executor, authorization, batches);
  }

  @Override
  public void configure(ChannelPipeline pipeline) {
    super.configure(pipeline);
    pipeline.addFirst("bg3-connections", connections);
    pipeline.addAfter(
        "bg3-connections",
        "bg3-unread",
        new UnreadAnswers(guarded.connectionLimits().unreadMillis(), guarded.sendBuffers()));
    pipeline.addAfter(
        PIPELINE_REQUEST_HANDLER, "bg3-handshake", new HandshakeDeadline(limits.handshakeMillis()));
    pipeline.replace(
        PIPELINE_WEBSOCKET_SERVER_COMPRESSION,
        PIPELINE_WEBSOCKET_SERVER_COMPRESSION,
        new AnswerCompression(limits.content()));
    pipeline.replace("response-frame-encoder", "response-frame-encoder", new ResponseEncoder());
    pipeline.remove("request-text-decoder");
    pipeline.remove("request-binary-decoder");
    pipeline.remove("request-close-decoder");
    pipeline.remove(PIPELINE_AUTHORIZER);
    pipeline.addLast(WHOLE, new WebSocketFrameAggregator(limits.content()));
    RequestQueue queue = new RequestQueue(processor);
    if (hasBatches) {
      pipeline.addLast(
          MESSAGES,
          new BatchReadHandler(
              authorization,
              guarded.intake(),
              graphManager,
              guarded,
              serializers.get(BINARY),
              queue));
    }
    pipeline.addLast("bg3-frames", frames);
    pipeline.addLast("bg3-queue", queue);
  }

  /** Takes TinkerPop's handlers away: they would select and run operations in an event loop. */
  @Override
  public void finalize(ChannelPipeline pipeline) {
    pipeline.remove(PIPELINE_OP_EXECUTOR);
    pipeline.replace(PIPELINE_OP_SELECTOR, PIPELINE_OP_SELECTOR, IdleConnections.HANDLER);
  }
}
