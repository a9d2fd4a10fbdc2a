package io.bg3.server;

import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/** A client that sends any bytes it likes. */
final class Wire implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 300;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final BlockingQueue<ResponseMessage> answers = new LinkedBlockingQueue<>();
  private final WebSocket socket;
  private volatile boolean closed;

  Wire(int port) {
    this.socket =
        HTTP.newWebSocketBuilder()
            .buildAsync(URI.create("ws://127.0.0.1:" + port + "/gremlin"), new Listener())
            .join();
  }

  Wire send(byte[] message) {
    socket.sendBinary(ByteBuffer.wrap(message), true).join();
    return this;
  }

  Wire sendPart(byte[] message, boolean last) {
    socket.sendBinary(ByteBuffer.wrap(message), last).join();
    return this;
  }

  Wire send(String message) {
    socket.sendText(message, true).join();
    return this;
  }

  /** Sends a message that makes the server close the connection, perhaps before it is all sent. */
  Wire sendUnwelcome(byte[] message, boolean last) {
    try {
      return sendPart(message, last);
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof IOException)) {
        throw e;
      }
      closed = true;
      return this;
    }
  }

  /** The next answer. */
  ResponseMessage answer() throws InterruptedException {
    ResponseMessage answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (answer == null) {
      throw new AssertionError("no answer: closed=" + closed);
    }
    return answer;
  }

  /** The next answer; null if the connection is closed and there is none. */
  ResponseMessage answerIfAny() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < end) {
      boolean over = closed; // before looking: what came earlier is there now
      ResponseMessage answer = answers.poll(100, TimeUnit.MILLISECONDS);
      if (answer != null || over) {
        return answer;
      }
    }
    throw new AssertionError("neither an answer nor an end of the connection");
  }

  /** Code and message of the next answer. */
  String verdict() throws InterruptedException {
    ResponseMessage answer = answer();
    return answer.getStatus().getCode().getValue() + " " + answer.getStatus().getMessage();
  }

  /** Whether there is an answer now. */
  boolean hasAnswer() {
    return !answers.isEmpty();
  }

  /** Waits until the server has closed the connection. */
  void awaitClosed() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!closed) {
      if (System.nanoTime() > end) {
        throw new AssertionError("the connection is still open");
      }
      Thread.sleep(10);
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Goes without a word. */
  @Override
  public void close() {
    socket.abort();
  }

  private final class Listener implements WebSocket.Listener {
    private final ByteArrayOutputStream binary = new ByteArrayOutputStream();
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onBinary(WebSocket webSocket, ByteBuffer data, boolean last) {
      byte[] part = new byte[data.remaining()];
      data.get(part);
      binary.writeBytes(part);
      if (last) {
        try {
          answers.add(read(binary.toByteArray()));
        } catch (Exception e) {
          throw new AssertionError(e);
        }
        binary.reset();
      }
      webSocket.request(1);
      return null;
    }

    private static ResponseMessage read(byte[] message) throws SerializationException {
      boolean json = message[0] == '{';
      return json
          ? new GraphSONMessageSerializerV3()
              .deserializeResponse(new String(message, StandardCharsets.UTF_8))
          : new GraphBinaryMessageSerializerV1()
              .deserializeResponse(Unpooled.wrappedBuffer(message));
    }

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        try {
          answers.add(new GraphSONMessageSerializerV3().deserializeResponse(text.toString()));
        } catch (Exception e) {
          throw new AssertionError(e);
        }
        text.setLength(0);
      }
      webSocket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
      closed = true;
      return null;
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
      closed = true;
    }
  }
}
