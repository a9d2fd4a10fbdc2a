package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Readers that write: in every place of a query where a step can stand, as text, as bytecode, in
 * sessions, by HTTP. Where there are no users, a GET of HTTP that writes, which a page of another
 * site can make a browser send. All of it leaves {@link Target#MARK} if it is done.
 */
final class ForbiddenWrites extends Attack {
  private static final int CONNECTIONS = 4;
  private static final int MESSAGES = 96;
  private static final long PAUSE_MILLIS = 20;
  private static final List<String> AROUND =
      List.of(
          "map",
          "flatMap",
          "sideEffect",
          "local",
          "optional",
          "union",
          "coalesce",
          "choose",
          "repeat",
          "where",
          "filter",
          "not",
          "and",
          "or",
          "until",
          "emit",
          "by",
          "branch");

  private final List<ByteBuffer> pool = pool(MESSAGES, this::message);

  ForbiddenWrites(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private Query query() {
    Query start = Query.vertices().step("limit", 1);
    Query write =
        switch (random().nextInt(7)) {
          case 0 -> Query.empty().step("addV", Target.MARK);
          case 1 -> Query.empty().step("mergeV", Map.of(Target.MARK, 1));
          case 2 -> Query.empty().step("property", Target.MARK, 1);
          case 3 -> Query.empty().step("addE", Target.MARK).step("to", Query.vertices());
          case 4 -> Query.empty().step("drop");
          case 5 -> Query.empty().step("mergeE", Map.of(Target.MARK, 1));
          default -> Query.empty().step("call", "bg3.nodes.reset", Map.of("next", 1L));
        };
    if (random().nextInt(4) == 0) {
      return Query.empty().step("addV", Target.MARK);
    }
    for (int depth = random().nextInt(5); depth >= 0; depth--) {
      write = Query.empty().step(pick(AROUND), write);
    }
    return Query.inject(1).step("map", start).step("map", write);
  }

  private ByteBuffer message() {
    Query query = query();
    RequestMessage request =
        random().nextBoolean()
            ? Messages.request(query.text())
            : Messages.request(query.bytecode());
    if (random().nextInt(4) == 0) {
      request =
          RequestMessage.from(request)
              .processor("session")
              .addArg(Tokens.ARGS_SESSION, new UUID(0, random().nextLong()).toString())
              .create();
    }
    return Frames.binary(request);
  }

  @Override
  void begin() {
    if (target().users()) {
      keepAsking(CONNECTIONS, pool, 1, PAUSE_MILLIS);
    }
    after(100, this::get);
  }

  private void get() {
    attempt();
    String user = pick(Target.READERS);
    String login =
        target().users()
            ? "Authorization: Basic " + Frames.base64(user + ":" + Target.password(user)) + "\r\n"
            : "";
    String text = URLEncoder.encode(query().text(), StandardCharsets.UTF_8);
    String request =
        "GET /gremlin?gremlin=" + text + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + login + "\r\n";
    connectHttp(HttpPeer.once(this, Frames.ascii(request), () -> after(PAUSE_MILLIS, this::get)));
  }
}
