package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.LinkStoreException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * A connection to a server for one request after the other, made when it is wanted and again after
 * it has failed.
 *
 * <p>Threads: one after the other; {@link #close} and {@link #hangUpAfter} any.
 */
final class ServerConnection implements AutoCloseable {
  /** A connection that was idle for so long may have been closed by the server. */
  private static final long FRESH = TimeUnit.MINUTES.toNanos(1);

  private final Endpoint endpoint;
  private final GraphBinaryMessageSerializerV1 format = new GraphBinaryMessageSerializerV1();
  private volatile WebSocket socket; // null if there is none
  private volatile boolean closed;
  private volatile long begun; // the request under way; 0 if there is none
  private volatile String ended; // why another thread has ended the connection
  private UUID id; // of the request under way
  private long used;

  ServerConnection(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  /**
   * Sends a request, after the last one was answered.
   *
   * @throws IOException if the server cannot be reached
   */
  void send(RequestMessage request) throws IOException {
    ended = null;
    begun = System.nanoTime();
    id = request.getRequestId();
    if (socket != null && begun - used > FRESH) {
      hangUp();
    }
    try {
      if (socket == null) {
        WebSocket fresh = new WebSocket(endpoint);
        socket = fresh;
        if (closed) {
          throw new IOException("the connection is closed");
        }
        fresh.connect();
      }
      write(request);
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  /**
   * Waits for all that is answered to the request that was sent.
   *
   * @throws LinkStoreException if the server refuses
   * @throws IOException if there is no answer
   */
  List<Object> receive() throws IOException {
    try {
      return answers();
    } catch (LinkStoreException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    } finally {
      begun = 0;
      used = System.nanoTime();
    }
  }

  private List<Object> answers() throws IOException {
    List<Object> results = new ArrayList<>(1);
    while (true) {
      ResponseMessage response = next();
      switch (response.getStatus().getCode()) {
        case PARTIAL_CONTENT -> ServiceClient.addAll(response.getResult().getData(), results);
        case SUCCESS -> {
          ServiceClient.addAll(response.getResult().getData(), results);
          return results;
        }
        case NO_CONTENT -> {
          return results;
        }
        case AUTHENTICATE -> login(response);
        default -> throw new LinkStoreException(response.getStatus().getMessage());
      }
    }
  }

  private ResponseMessage next() throws IOException {
    ByteBuf message = socket.receive();
    begun = System.nanoTime();
    ResponseMessage response;
    try {
      response = format.deserializeResponse(message);
    } catch (SerializationException e) {
      throw new IOException("the server's answer cannot be read", e);
    } finally {
      message.release();
    }
    if (!id.equals(response.getRequestId())) {
      throw new IOException("the server answers what was not asked");
    }
    return response;
  }

  private void login(ResponseMessage challenge) throws IOException {
    if (endpoint.user() == null) {
      hangUp();
      throw new LinkStoreException("the server asks for a name and a password");
    }
    String credentials = '\0' + endpoint.user() + '\0' + endpoint.password();
    write(
        RequestMessage.build(Tokens.OPS_AUTHENTICATION)
            .overrideRequestId(challenge.getRequestId())
            .addArg(Tokens.ARGS_SASL_MECHANISM, "PLAIN")
            .addArg(
                Tokens.ARGS_SASL,
                Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
            .create());
  }

  private void write(RequestMessage message) throws IOException {
    try {
      socket.send(format.serializeRequestAsBinary(message, ByteBufAllocator.DEFAULT));
    } catch (SerializationException e) {
      throw new IOException("the request cannot be written", e);
    }
  }

  private IOException failed(Exception problem) throws IOException {
    begun = 0;
    hangUp();
    if (ended != null) {
      return new IOException(ended);
    }
    return problem instanceof IOException own ? own : new IOException(problem);
  }

  /** Ends the connection; the next request has another one. */
  void hangUp() throws IOException {
    WebSocket last = socket;
    socket = null;
    if (last != null) {
      last.close();
      last.release();
    }
  }

  /** Ends a request to which nothing has been answered for so many nanoseconds. Threads: any. */
  void hangUpAfter(long nanos) {
    long since = begun;
    WebSocket last = socket;
    if (since != 0 && last != null && System.nanoTime() - since > nanos) {
      ended = "nothing was answered for " + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
      close(last);
    }
  }

  /** Ends it; a request that is under way fails. */
  @Override
  public void close() {
    closed = true;
    WebSocket last = socket;
    if (last != null) {
      close(last);
    }
  }

  private static void close(WebSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }
}
