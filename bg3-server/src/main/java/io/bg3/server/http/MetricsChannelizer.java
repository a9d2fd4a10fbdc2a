package io.bg3.server.http;

import io.bg3.server.access.BrowserRules;
import io.bg3.server.access.HttpRefusals;
import io.bg3.server.access.Readiness;
import io.bg3.server.answer.Admission;
import io.bg3.server.connection.ConnectionGate;
import io.bg3.server.connection.HeaderLimit;
import io.bg3.server.log.ClientLog;
import io.bg3.server.log.ConnectionErrors;
import io.bg3.server.metrics.ServerMeters;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import java.util.function.Supplier;

/**
 * The endpoint that Prometheus reads: plain, without a login, and nothing in it changes anything.
 */
public final class MetricsChannelizer extends ChannelInitializer<SocketChannel> {
  private static final int LINE = 4_096;
  private static final int HEADERS = 8_192;
  private static final int BODY = 1_024;
  private static final int CONNECTIONS = 64;
  private static final int SHARE = 48; // of one address

  private final BrowserRules rules;
  private final Readiness readiness;
  private final Supplier<String> figures;
  private final ConnectionGate connections;
  private final HttpRefusals refusals;
  private final ConnectionErrors errors;

  /**
   * Shows what the supplier gives.
   *
   * @param log of what goes wrong with a connection
   * @param meters count what is refused
   */
  public MetricsChannelizer(
      BrowserRules rules,
      Readiness readiness,
      Supplier<String> figures,
      ClientLog log,
      ServerMeters meters) {
    this.readiness = readiness;
    this.rules = rules;
    this.figures = figures;
    this.connections = new ConnectionGate(CONNECTIONS, SHARE, new Admission(), log);
    this.refusals = new HttpRefusals(log, meters);
    this.errors = new ConnectionErrors(log);
  }

  @Override
  protected void initChannel(SocketChannel channel) {
    channel
        .pipeline()
        .addLast(
            connections,
            new HttpServerCodec(HeaderLimit.config(LINE, HEADERS, BODY)),
            new HttpServerKeepAliveHandler(),
            refusals,
            new HttpObjectAggregator(BODY),
            new HttpPipelining(),
            new MetricsHandler(rules, readiness, figures),
            errors);
  }
}
