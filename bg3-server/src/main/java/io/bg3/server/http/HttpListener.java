package io.bg3.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;

/**
 * A server socket with an event loop of its own, so that its connections do not delay those of the
 * drivers. Threads: any.
 */
public final class HttpListener implements AutoCloseable {
  private final EventLoopGroup group;
  private final Channel socket;

  private HttpListener(EventLoopGroup group, Channel socket) {
    this.group = group;
    this.socket = socket;
  }

  /**
   * Binds the socket; returns when the port is open.
   *
   * @param name the name of the event loop's thread
   * @param connection initializes the pipeline of each connection
   * @throws IOException if the address cannot be bound
   */
  @SuppressWarnings("FutureReturnValueIgnored") // nothing is left to wait for after a failure
  public static HttpListener open(String name, String host, int port, ChannelHandler connection)
      throws IOException {
    EventLoopGroup group =
        new NioEventLoopGroup(1, new BasicThreadFactory.Builder().namingPattern(name).build());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(connection)
            .bind(host, port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw new IOException(bound.cause());
    }
    return new HttpListener(group, bound.channel());
  }

  /** Closes the server socket; open connections stay open. */
  public void stopListening() {
    socket.close().awaitUninterruptibly();
  }

  /** Closes the server socket and all connections. */
  @Override
  public void close() {
    stopListening();
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
