package io.bg3.server.access;

import io.bg3.server.guard.BoundedWebSocketChannelizer;
import io.netty.channel.ChannelPipeline;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;

/**
 * The guarded WebSocket endpoint with a login in front of the guard, where there are users, and the
 * rules for browsers in front of everything.
 */
public final class AttendedWebSocketChannelizer extends BoundedWebSocketChannelizer {
  private static final String ENCODER = "response-frame-encoder";
  private static final String LAST_DECODER = "request-close-decoder";

  private Access access;
  private HandshakeHandler handshakes;
  private AnswerCounter answers;

  @Override
  public void init(ServerGremlinExecutor executor) {
    super.init(executor);
    Attended attended = (Attended) settings;
    access = attended.access();
    handshakes = new HandshakeHandler(access.rules());
    answers = new AnswerCounter(attended.meters());
  }

  @Override
  public void configure(ChannelPipeline pipeline) {
    super.configure(pipeline);
    pipeline.addAfter(PIPELINE_HTTP_AGGREGATOR, "bg3-browser", handshakes);
    pipeline.addAfter(ENCODER, "bg3-answers", answers);
    access
        .logins()
        .ifPresent(
            logins ->
                pipeline.addAfter(
                    LAST_DECODER,
                    PIPELINE_AUTHENTICATOR,
                    new LoginHandler(logins, access.audit())));
  }
}
