package io.bg3.server.access;

import io.bg3.server.guard.BoundedWebSocketChannelizer;
import io.bg3.server.log.ConnectionErrors;
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
  private AnswerLog errors;
  private ConnectionErrors last;

  @Override
  public void init(ServerGremlinExecutor executor) {
    super.init(executor);
    Attended attended = (Attended) settings;
    access = attended.access();
    handshakes = new HandshakeHandler(access.rules());
    answers = new AnswerCounter(attended.meters());
    errors = new AnswerLog(attended.clientLog());
    last = new ConnectionErrors(attended.clientLog());
  }

  @Override
  public void configure(ChannelPipeline pipeline) {
    super.configure(pipeline);
    pipeline.addAfter(PIPELINE_HTTP_AGGREGATOR, "bg3-browser", handshakes);
    pipeline.addAfter(ENCODER, "bg3-answers", answers);
    pipeline.addAfter("bg3-answers", "bg3-answer-log", errors);
    access
        .logins()
        .ifPresent(
            logins ->
                pipeline.addAfter(
                    LAST_DECODER,
                    PIPELINE_AUTHENTICATOR,
                    new LoginHandler(logins, access.audit())));
  }

  @Override
  public void finalize(ChannelPipeline pipeline) {
    pipeline.addLast(ConnectionErrors.NAME, last);
  }
}
