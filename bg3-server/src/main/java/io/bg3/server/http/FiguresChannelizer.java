package io.bg3.server.http;

import io.bg3.server.access.BrowserRules;
import io.bg3.server.access.Readiness;
import io.bg3.server.log.ClientLog;
import io.bg3.server.log.ConnectionErrors;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import java.util.function.Supplier;

/**
 * The endpoint that Prometheus reads: plain, without a login, and nothing in it changes anything.
 */
public final class FiguresChannelizer extends ChannelInitializer<SocketChannel> {
  private static final int BODY = 1_024;

  private final BrowserRules rules;
  private final Readiness readiness;
  private final Supplier<String> figures;
  private final ConnectionErrors errors;

  /**
   * Shows what the supplier gives.
   *
   * @param log of what goes wrong with a connection
   */
  public FiguresChannelizer(
      BrowserRules rules, Readiness readiness, Supplier<String> figures, ClientLog log) {
    this.readiness = readiness;
    this.rules = rules;
    this.figures = figures;
    this.errors = new ConnectionErrors(log);
  }

  @Override
  protected void initChannel(SocketChannel channel) {
    channel
        .pipeline()
        .addLast(
            new HttpServerCodec(),
            new HttpServerKeepAliveHandler(),
            new HttpObjectAggregator(BODY),
            new RequestTurns(),
            new FiguresPage(rules, readiness, figures),
            errors);
  }
}
