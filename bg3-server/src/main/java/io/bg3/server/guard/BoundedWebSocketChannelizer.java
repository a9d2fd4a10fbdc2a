package io.bg3.server.guard;

import io.netty.channel.ChannelPipeline;
import org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;

/**
 * TinkerPop's WebSocket endpoint with {@link RequestBounds} ahead of the guard. Plain HTTP is not
 * served: upstream does not ask the guard there.
 */
public final class BoundedWebSocketChannelizer extends WebSocketChannelizer {
  private RequestBounds bounds;

  @Override
  public void init(ServerGremlinExecutor executor) {
    super.init(executor);
    bounds = new RequestBounds(((Guarded) settings).limits());
  }

  @Override
  public void configure(ChannelPipeline pipeline) {
    super.configure(pipeline);
    pipeline.addBefore(PIPELINE_AUTHORIZER, "bg3-bounds", bounds);
  }
}
