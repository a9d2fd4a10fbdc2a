package io.bg3.server.guard;

import io.bg3.gremlin.structure.Bg3Graph;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketServerCompressionHandler;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;

/**
 * TinkerPop's WebSocket endpoint with what keeps strangers within bounds:
 *
 * <pre>
 *   connections    a number of them, each a WebSocket before long
 *   (HTTP, WebSocket; what is sent compressed is inflated up to the size of a message)
 *   whole          frames put together to messages
 *   message        the message's bytes are judged
 *   (the deserialiser, the authenticator)
 *   bounds         what the request asks for is brought within limits
 *   intake         a server that stops takes no more requests
 *   batch          a request that is one call of a batch is judged at once, and answered if it reads
 *   one            the next request waits until this one is judged
 *   authorizer     what the query consists of is judged, by threads of its own
 *   sessions       how many there are, how long they live
 *   (the operation)
 * </pre>
 *
 * <p>Plain HTTP is not served here.
 */
public class BoundedWebSocketChannelizer extends WebSocketChannelizer {
  private static final String SOURCE = "g";

  private Limits limits;
  private ConnectionGate connections;
  private MessageGate messages;
  private RequestBounds bounds;
  private AuthorizationGate guard;
  private IntakeGate intake;
  private SessionGate sessions;
  private Bg3Graph graph; // null if it is another's
  private BatchQueries batches;

  @Override
  public void init(ServerGremlinExecutor executor) {
    super.init(executor);
    limits = ((Guarded) settings).limits();
    Guarded guarded = (Guarded) settings;
    int most = limits.connections();
    connections =
        new ConnectionGate(
            most, guarded.shares().connections(most), guarded.intake(), guarded.clientLog());
    intake = new IntakeGate(guarded.intake());
    messages =
        new MessageGate(
            serializers,
            serializers.getOrDefault("application/json", new GraphSONMessageSerializerV3()),
            limits);
    bounds = new RequestBounds(limits);
    guard = new AuthorizationGate(authorizer, ((Guarded) settings).callers());
    guarded.sessions().useTimer(scheduledExecutorService);
    sessions = new SessionGate(guarded.sessions());
    TraversalSource source = graphManager.getTraversalSource(SOURCE);
    if (source.getGraph() instanceof Bg3Graph own) {
      graph = own;
      Optional<WatchedQueries> watch = source.getStrategies().getStrategy(WatchedQueries.class);
      batches = new BatchQueries(executor, own, () -> watch.ifPresent(WatchedQueries::begin));
    }
  }

  @Override
  public void configure(ChannelPipeline pipeline) {
    super.configure(pipeline);
    pipeline.addFirst("bg3-connections", connections);
    pipeline.addAfter(
        PIPELINE_REQUEST_HANDLER, "bg3-handshake", new HandshakeDeadline(limits.handshakeMillis()));
    pipeline.replace(
        PIPELINE_WEBSOCKET_SERVER_COMPRESSION,
        PIPELINE_WEBSOCKET_SERVER_COMPRESSION,
        new WebSocketServerCompressionHandler(limits.content()));
    pipeline.addBefore(
        "request-text-decoder", "bg3-whole", new WebSocketFrameAggregator(limits.content()));
    pipeline.addBefore("request-text-decoder", "bg3-message", messages);
    pipeline.remove(PIPELINE_AUTHORIZER);
    pipeline.addLast("bg3-bounds", bounds);
    pipeline.addLast("bg3-intake", intake);
    if (graph != null) {
      pipeline.addLast(
          "bg3-batch", new BatchGate(guard, graphManager, graph, batches, PIPELINE_AUTHORIZER));
    }
    pipeline.addLast("bg3-one", OneAtATime.HANDLER);
    pipeline.addLast(((Guarded) settings).judges(), PIPELINE_AUTHORIZER, guard);
    pipeline.addLast("bg3-sessions", sessions);
  }
}
