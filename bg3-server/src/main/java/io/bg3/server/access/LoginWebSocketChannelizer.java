package io.bg3.server.access;

import io.bg3.server.connection.AnswerCompression;
import io.bg3.server.connection.HeaderLimit;
import io.bg3.server.connection.ReadGate;
import io.bg3.server.connection.ReceiveBuffers;
import io.bg3.server.connection.ReceiveMeter;
import io.bg3.server.connection.ReceiveMeter.Place;
import io.bg3.server.log.ConnectionErrors;
import io.bg3.server.request.GuardContext;
import io.bg3.server.request.GuardedWebSocketChannelizer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.Attribute;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;

/**
 * The guarded WebSocket endpoint with a login in front of the guard, where there are users, the
 * rules for browsers in front of everything, and what counts bytes that are no request yet.
 */
public final class LoginWebSocketChannelizer extends GuardedWebSocketChannelizer {
  private static final String ENCODER = "response-frame-encoder";
  private static final String WHOLE = "bg3-whole";
  private static final String LOGIN = "bg3-login";
  private static final String BINARY = "application/vnd.graphbinary-v1.0";
  private static final String TEXT = "application/json";

  private Access access;
  private long loginMillis;
  private int contentLimit;
  private ReceiveBuffers buffers;
  private AnswerFormats formats;
  private HttpRefusals refusals;
  private HandshakeHandler handshakes;
  private AnswerCounter answers;
  private AnswerLog errors;
  private ConnectionErrors last;

  @Override
  public void init(ServerGremlinExecutor executor) {
    super.init(executor);
    AccessContext attended = (AccessContext) settings;
    access = attended.access();
    loginMillis = attended.loginMillis();
    contentLimit = ((GuardContext) settings).limits().content();
    buffers = attended.receiveBuffers();
    formats =
        new AnswerFormats(
            serializers,
            serializers.get(BINARY),
            serializers.getOrDefault(TEXT, new GraphSONMessageSerializerV3()));
    refusals = new HttpRefusals(attended.clientLog(), attended.meters());
    handshakes = new HandshakeHandler(access.rules());
    answers = new AnswerCounter(attended.meters());
    errors = new AnswerLog(attended.clientLog());
    last = new ConnectionErrors(attended.clientLog());
  }

  @Override
  public void configure(ChannelPipeline pipeline) {
    super.configure(pipeline);
    pipeline.addBefore(PIPELINE_HTTP_RESPONSE_ENCODER, "bg3-bytes", meter(Place.BYTES));
    pipeline.addAfter("bg3-bytes", "bg3-gate", new ReadGate());
    pipeline.addAfter(PIPELINE_HTTP_RESPONSE_ENCODER, "bg3-refusals", refusals);
    pipeline.addBefore(PIPELINE_HTTP_AGGREGATOR, "bg3-chunks", meter(Place.CHUNKS));
    pipeline.addAfter(PIPELINE_HTTP_AGGREGATOR, "bg3-browser", handshakes);
    pipeline.addAfter("bg3-browser", "bg3-decoded", meter(Place.FRAMES));
    pipeline.addBefore(WHOLE, "bg3-inflated", meter(Place.INFLATED));
    pipeline.addAfter(WHOLE, "bg3-messages", meter(Place.MESSAGES));
    pipeline.addAfter(ENCODER, "bg3-answers", answers);
    pipeline.addAfter("bg3-answers", "bg3-answer-log", errors);
    pipeline.replace(
        PIPELINE_HTTP_REQUEST_DECODER,
        PIPELINE_HTTP_REQUEST_DECODER,
        new HttpRequestDecoder(
            HeaderLimit.config(
                settings.maxInitialLineLength, settings.maxHeaderSize, settings.maxChunkSize)));
    access.logins().ifPresent(logins -> addLogin(pipeline, logins));
  }

  private void addLogin(ChannelPipeline pipeline, Logins logins) {
    pipeline.addAfter("bg3-decoded", "bg3-pings", new PingLimit());
    Attribute<AuthenticatedUser> user = pipeline.channel().attr(StateKey.AUTHENTICATED_USER);
    pipeline.replace(
        PIPELINE_WEBSOCKET_SERVER_COMPRESSION,
        PIPELINE_WEBSOCKET_SERVER_COMPRESSION,
        new AnswerCompression(contentLimit, () -> user.get() != null));
    pipeline.addAfter(WHOLE, LOGIN, new LoginHandler(logins, access.audit(), formats, loginMillis));
  }

  private ReceiveMeter meter(Place place) {
    return new ReceiveMeter(buffers, place);
  }

  @Override
  public void finalize(ChannelPipeline pipeline) {
    super.finalize(pipeline);
    pipeline.addLast(ConnectionErrors.NAME, last);
  }
}
