package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The attacks of the other classes by plain HTTP: endless queries, extreme numbers, deep nesting,
 * large and colliding bodies, lengths that are wrong, bodies without an end, answers that nobody
 * reads.
 */
final class HttpRequests extends Attack {
  private static final int CONNECTIONS = 24;
  private static final int MESSAGES = 48;
  private static final long PAUSE_MILLIS = 20;

  private final List<ByteBuffer> pool = pool(MESSAGES, this::request);

  HttpRequests(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private ByteBuffer request() {
    int size = 1 + random().nextInt(60_000);
    return switch (random().nextInt(10)) {
      case 0 -> json("g.inject(1).repeat(__.identity()).until(__.is(-1))");
      case 1 -> json("g.V().V().V().V().V().V().count()");
      case 2 -> json("g.inject(1).tail(" + pick(List.of("2147483647", "999999999", "-1")) + ")");
      case 3 -> json("g.V().repeat(__.out()).times(1000000)");
      case 4 -> json("g.inject(" + "[".repeat(size) + "]".repeat(size) + ")");
      case 5 -> json("g.inject(1).emit().repeat(__.identity())");
      case 6 ->
          body("application/json", "[".repeat(size * 8).getBytes(StandardCharsets.US_ASCII), "");
      case 7 ->
          body(
              "application/vnd.graphbinary-v1.0",
              Messages.binary(Query.inject(1).step("tail", Integer.MAX_VALUE).bytecode()),
              "");
      case 8 -> Frames.ascii(head("application/json", "Content-Length: 1000000\r\n") + "{");
      default ->
          Frames.ascii(
              head("application/json", "Transfer-Encoding: chunked\r\n") + "5\r\n{\"gre\r\n");
    };
  }

  private ByteBuffer json(String query) {
    String body = "{\"gremlin\":\"" + query + "\"}";
    return body("application/json", body.getBytes(StandardCharsets.UTF_8), "");
  }

  private ByteBuffer body(String type, byte[] body, String headers) {
    byte[] head =
        head(type, headers + "Content-Length: " + body.length + "\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(head.length + body.length).put(head).put(body).flip();
  }

  private String head(String type, String headers) {
    String user = pick(Target.READERS);
    return "POST /gremlin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
        + type
        + "\r\n"
        + (target().users()
            ? "Authorization: Basic " + Frames.base64(user + ":" + Target.password(user)) + "\r\n"
            : "")
        + headers
        + "\r\n";
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      after(random().nextInt(500), this::ask);
    }
  }

  private void ask() {
    attempt();
    connectHttp(HttpPeer.once(this, pick(pool), () -> after(PAUSE_MILLIS, this::ask)));
  }
}
