package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Lines for the log, behind every kind of line break, wherever a client may name something:
 * services, parameters, languages, operations, sessions, users, paths, headers.
 */
final class LogForging extends Attack {
  /** How a line begins that only a client can have written. */
  static final String FORGED = "2001-01-01T00:00:00.000Z ERROR Forged - ";

  private static final int CONNECTIONS = 8;
  private static final int MESSAGES = 64;
  private static final List<String> BREAKS =
      List.of("\n", "\r\n", "\r", "\u0085", "\u2028", "\u000b", "\u001b[2K\u001b[1G", "\\n");

  private final List<ByteBuffer> pool = pool(MESSAGES, this::message);

  LogForging(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private String line() {
    return "x" + pick(BREAKS) + FORGED + "x".repeat(random().nextInt(3_000));
  }

  private ByteBuffer message() {
    String line = line();
    Query query = Query.empty();
    return switch (random().nextInt(9)) {
      case 0 -> Frames.binary(Messages.binary(query.step("call", line).bytecode()));
      case 1 -> Frames.binary(Messages.request(query.step("call", line).text()));
      case 2 ->
          Frames.binary(
              Messages.binary(query.step("call", "--list", Map.of(line, line)).bytecode()));
      case 3 -> Frames.binary(Messages.binary(query.step(line, 1).bytecode()));
      case 4 ->
          Frames.binary(Messages.binary(query.step("inject", 1).step("fail", line).bytecode()));
      case 5 -> Frames.binary(Frames.eval("g.V()", Map.of(Tokens.ARGS_LANGUAGE, line)));
      case 6 -> Frames.binary(RequestMessage.build(line).processor(line).create());
      case 7 ->
          Frames.binary(
              RequestMessage.from(Messages.request(line))
                  .processor("session")
                  .addArg(Tokens.ARGS_SESSION, line)
                  .addArg(Tokens.ARGS_ALIASES, Map.of(line, line))
                  .create());
      default ->
          Frames.text(
              "{\"requestId\":\""
                  + new UUID(0, 9)
                  + "\",\"op\":\""
                  + json(line)
                  + "\",\"args\":1}");
    };
  }

  private static String json(String text) {
    StringBuilder escaped = new StringBuilder();
    text.chars().forEach(c -> escaped.append(String.format(Locale.ROOT, "\\u%04x", c)));
    return escaped.toString();
  }

  @Override
  void begin() {
    keepAsking(CONNECTIONS, pool, 1, 10);
    after(200, this::http);
    after(300, this::guess);
  }

  private void http() {
    attempt();
    String line = line();
    String encoded = URLEncoder.encode(line, StandardCharsets.UTF_8);
    String request =
        switch (random().nextInt(3)) {
          case 0 -> "GET /" + encoded + " HTTP/1.1\r\nHost: x\r\n\r\n";
          case 1 -> "GET /gremlin?gremlin=" + encoded + " HTTP/1.1\r\nHost: x\r\n\r\n";
          default ->
              "GET /gremlin HTTP/1.1\r\nHost: x\r\nOrigin: http://a\r\n " + FORGED + "\r\n\r\n";
        };
    connectHttp(HttpPeer.once(this, Frames.utf8(request), () -> after(50, this::http)));
  }

  /** Logs in under a name with a line break in it. */
  private void guess() {
    if (!target().users()) {
      return;
    }
    connect(
        new SocketPeer(this) {
          @Override
          boolean logsIn() {
            return false;
          }

          @Override
          void opened() {
            attempt();
            send(Frames.binary(Messages.request("g.V()")));
            send(Frames.login(line(), line()));
          }

          @Override
          void closed() {
            count("closed");
            after(RETURN_MILLIS, LogForging.this::guess);
          }
        });
  }
}
