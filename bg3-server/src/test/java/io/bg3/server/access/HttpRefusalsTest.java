package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.bg3.server.log.ClientLog;
import io.bg3.server.metrics.ServerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Refuses requests in memory, and reads what is logged and counted of them. */
class HttpRefusalsTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(ClientLog.NAME);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ClientLog log = new ClientLog();
  private EmbeddedChannel channel;

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
    logger.setLevel(Level.WARN);
    channel = new EmbeddedChannel(new HttpRefusals(log, new ServerMeters(registry)));
    channel.pipeline().addLast("last", new io.netty.channel.ChannelDuplexHandler());
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
    log.close();
    channel.finishAndReleaseAll();
  }

  @Test
  void aRefusalIsALineAndACount() {
    ChannelHandlerContext context = channel.pipeline().context("last");
    UUID id = UUID.randomUUID();
    HttpAnswer.refuse(context, HttpResponseStatus.FORBIDDEN, id, "not\nthis");
    assertEquals(
        "request refused: from=embedded, status=403, request=" + id + ", problem=not\\u000athis",
        lines.list.get(0).getFormattedMessage());
    assertEquals(1, count("bg3.server.refused", "forbidden"));
  }

  @Test
  void eachStatusIsCountedAsThatOfAWebSocket() {
    for (HttpResponseStatus status :
        new HttpResponseStatus[] {
          HttpResponseStatus.UNAUTHORIZED,
          HttpResponseStatus.TOO_MANY_REQUESTS,
          HttpResponseStatus.NOT_FOUND,
          HttpResponseStatus.SERVICE_UNAVAILABLE
        }) {
      channel.writeOutbound(
          HttpAnswer.error(channel.pipeline().context("last"), status, "refused"));
    }
    channel.writeOutbound(
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE));
    assertEquals(1, count("bg3.server.refused", "unauthorized"));
    assertEquals(1, count("bg3.server.refused", "too_many_requests"));
    assertEquals(2, count("bg3.server.errors", "request_error_malformed_request"));
    assertEquals(1, count("bg3.server.errors", "server_error_temporary"));
    assertEquals(5, lines.list.size());
    assertTrue(lines.list.get(4).getFormattedMessage().contains("status=413"));
  }

  @Test
  void otherAnswersAreNot() {
    channel.writeOutbound(
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK),
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONFLICT));
    assertEquals(0, lines.list.size());
  }

  private double count(String name, String status) {
    return registry.get(name).tag("status", status).counter().count();
  }
}
