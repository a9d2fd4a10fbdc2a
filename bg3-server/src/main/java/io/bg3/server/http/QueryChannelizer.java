package io.bg3.server.http;

import io.bg3.server.access.Access;
import io.bg3.server.access.AccessContext;
import io.bg3.server.access.AccountConnectionUsers;
import io.bg3.server.access.AnswerCounter;
import io.bg3.server.access.AnswerLog;
import io.bg3.server.access.HttpRefusals;
import io.bg3.server.access.Readiness;
import io.bg3.server.connection.ConnectionGate;
import io.bg3.server.connection.HeaderLimit;
import io.bg3.server.connection.ReceiveBuffers;
import io.bg3.server.connection.ReceiveMeter;
import io.bg3.server.connection.UnreadAnswers;
import io.bg3.server.log.ConnectionErrors;
import io.bg3.server.request.GuardContext;
import io.bg3.server.request.MessageReader;
import io.bg3.server.request.RequestProcessor;
import io.bg3.server.request.RequestQueue;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import org.apache.tinkerpop.gremlin.server.AbstractChannelizer;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;

/**
 * The HTTP endpoint for queries. In front it is BG3's own, and from the queue of requests on it is
 * that of WebSockets (H1); TinkerPop's own HTTP endpoint takes another way behind the guard, with
 * limits of its own, and answers pages of any site.
 */
public final class QueryChannelizer extends AbstractChannelizer {
  private static final int LINE = 16_384;
  private static final int HEADERS = 8_192;
  private static final int CHUNK = 8_192;

  private Access access;
  private Readiness readiness;
  private MessageReader messages;
  private ConnectionGate connections;
  private ReceiveBuffers buffers;
  private HttpRefusals refusals;
  private GuardContext guarded;
  private RequestProcessor processor;
  private AnswerCounter answers;
  private AnswerLog errors;
  private ConnectionErrors last;

  @Override
  public void init(ServerGremlinExecutor executor) {
    super.init(executor);
    AccessContext attended = (AccessContext) settings;
    access = attended.access();
    readiness = attended.readiness();
    guarded = (GuardContext) settings;
    int most = guarded.limits().connections();
    connections =
        new ConnectionGate(
            most, guarded.shares().connections(most), guarded.intake(), attended.clientLog());
    buffers = attended.receiveBuffers();
    refusals = new HttpRefusals(attended.clientLog(), attended.meters());
    messages = new MessageReader(serializers, guarded.limits());
    processor =
        new RequestProcessor(
            executor, authorizer, new AccountConnectionUsers(access, attended.meters(), "http"));
    answers = new AnswerCounter(attended.meters());
    errors = new AnswerLog(attended.clientLog());
    last = new ConnectionErrors(attended.clientLog());
  }

  @Override
  public void configure(ChannelPipeline pipeline) {
    pipeline.addFirst("bg3-connections", connections);
    pipeline.addAfter(
        "bg3-connections",
        "bg3-unread",
        new UnreadAnswers(guarded.connectionLimits().unreadMillis(), guarded.sendBuffers()));
    pipeline.addLast("bg3-bytes", new ReceiveMeter(buffers, ReceiveMeter.Place.BYTES));
    pipeline.addLast("http-codec", new HttpServerCodec(HeaderLimit.config(LINE, HEADERS, CHUNK)));
    pipeline.addLast("bg3-chunks", new ReceiveMeter(buffers, ReceiveMeter.Place.CHUNKS));
    pipeline.addLast("http-keep-alive", new HttpServerKeepAliveHandler());
    pipeline.addLast("bg3-refusals", refusals);
    pipeline.addLast(PIPELINE_HTTP_AGGREGATOR, new HttpObjectAggregator(settings.maxContentLength));
    pipeline.addLast("bg3-inflated", new ReceiveMeter(buffers, ReceiveMeter.Place.INFLATED));
    pipeline.addLast("http-turns", new HttpPipelining());
    pipeline.addLast("http-door", new HttpAccessHandler(access, readiness, guarded.intake()));
    pipeline.addLast("http-queries", new HttpQueries(messages));
    pipeline.addLast("bg3-answers", answers);
    pipeline.addLast("bg3-answer-log", errors);
    pipeline.addLast("bg3-queue", new RequestQueue(processor));
  }

  @Override
  public void finalize(ChannelPipeline pipeline) {
    pipeline.remove(PIPELINE_OP_SELECTOR);
    pipeline.remove(PIPELINE_OP_EXECUTOR);
    pipeline.addLast(ConnectionErrors.NAME, last);
  }
}
