package io.bg3.linkbench.remote;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.util.ReferenceCountUtil;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A WebSocket that has no thread of its own: the thread that uses it writes to the socket, and
 * waits there for what comes. The protocol is Netty's, which is given the bytes. No time limit is
 * ever set: a Java socket that had one asks the kernel three times for what comes, and not once.
 *
 * <p>Threads: one after the other; {@link #close} any.
 */
final class WebSocket implements AutoCloseable {
  private static final int READ = 1 << 16;
  private static final int MOST_ANSWERED = 16 << 20; // of a message; a batch answers 9 MiB at most
  private static final int MOST_GREETED = 8_192;

  private final Endpoint endpoint;
  private final Socket plain = new Socket();
  private final Greeting greeting = new Greeting();
  private final EmbeddedChannel protocol;
  private InputStream in;
  private OutputStream out;

  /** One that is not connected yet. */
  WebSocket(Endpoint endpoint) {
    this.endpoint = endpoint;
    this.protocol =
        new EmbeddedChannel(
            new HttpClientCodec(),
            new HttpObjectAggregator(MOST_GREETED),
            new WebSocketClientProtocolHandler(
                WebSocketClientProtocolConfig.newBuilder()
                    .webSocketUri(endpoint.uri())
                    .generateOriginHeader(false)
                    .maxFramePayloadLength(MOST_ANSWERED)
                    .build()),
            greeting,
            new WebSocketFrameAggregator(MOST_ANSWERED));
  }

  /**
   * Connects. Java's own limits of time are not used: a socket that ever had one asks the kernel
   * three times for each read.
   *
   * @throws IOException if there is no server, or it is not who it should be
   */
  void connect() throws IOException {
    plain.setTcpNoDelay(true);
    plain.setKeepAlive(true);
    plain.connect(new InetSocketAddress(endpoint.host(), endpoint.port()));
    Socket socket = endpoint.tls() ? encrypted(plain, endpoint) : plain;
    in = socket.getInputStream();
    out = socket.getOutputStream();
    write();
    while (!greeting.isDone) {
      read();
    }
  }

  private static Socket encrypted(Socket plain, Endpoint endpoint) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket socket =
        (SSLSocket) factory.createSocket(plain, endpoint.host(), endpoint.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name has to be the certificate's
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /** Sends a message, which is released. */
  void send(ByteBuf message) throws IOException {
    protocol.writeOutbound(new BinaryWebSocketFrame(message));
    write();
  }

  /** Waits for a message, which is to be released. */
  ByteBuf receive() throws IOException {
    while (true) {
      Object message = protocol.readInbound();
      if (message instanceof BinaryWebSocketFrame frame) {
        return frame.content();
      } else if (message == null) {
        read();
      } else {
        ReferenceCountUtil.release(message); // says nothing to us
      }
    }
  }

  private void read() throws IOException {
    ByteBuf bytes = protocol.alloc().heapBuffer(READ);
    int length;
    try {
      length = bytes.writeBytes(in, READ);
    } catch (IOException | RuntimeException e) {
      bytes.release();
      throw e;
    }
    if (length < 0) {
      bytes.release();
      throw new EOFException("the server has closed the connection");
    }
    protocol.writeInbound(bytes);
    write(); // an answer to a ping
    if (!protocol.isOpen() && protocol.inboundMessages().isEmpty()) {
      throw new EOFException("the server has ended the connection");
    }
  }

  private void write() throws IOException {
    for (ByteBuf bytes = protocol.readOutbound(); bytes != null; bytes = protocol.readOutbound()) {
      try {
        bytes.readBytes(out, bytes.readableBytes());
      } finally {
        bytes.release();
      }
    }
  }

  /** Gives back what is held for messages that have not come to an end, after the last use. */
  void release() {
    protocol.finishAndReleaseAll();
  }

  @Override
  public void close() throws IOException {
    plain.close();
  }

  /** Knows when the server has agreed to a WebSocket. */
  private static final class Greeting extends ChannelInboundHandlerAdapter {
    private boolean isDone;

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      isDone |= event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE;
      context.fireUserEventTriggered(event);
    }
  }
}
