package io.bg3.server.hostile;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * Messages of a megabyte that are many times as large when they are decoded, sent one behind the
 * other without waiting for answers, so that they wait behind queries that take long.
 */
final class BigWaiting extends Attack {
  private static final int CONNECTIONS = 24;
  private static final int AT_ONCE = 8;
  private static final int MESSAGES = 3;
  private static final int EMPTY_COLLECTIONS = 170_000; // 6 bytes each, 60 when it is decoded
  private static final int VALUES = 40_000;
  private static final long PAUSE_MILLIS = 50;

  private final List<ByteBuffer> pool = pool(MESSAGES, this::message);

  BigWaiting(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private ByteBuffer message() {
    RawRequest request =
        new RawRequest("eval", "bindings", new UUID(5, random().nextLong())).map(1).string("x");
    switch (random().nextInt(3)) {
      case 0 -> {
        request.list(EMPTY_COLLECTIONS);
        for (int i = 0; i < EMPTY_COLLECTIONS; i++) {
          request.map(0);
        }
      }
      case 1 -> {
        request.list(EMPTY_COLLECTIONS);
        for (int i = 0; i < EMPTY_COLLECTIONS; i++) {
          request.set(0);
        }
      }
      default -> {
        request.map(VALUES);
        for (int i = 0; i < VALUES; i++) {
          request.integer(i).string("value" + i);
        }
      }
    }
    return Frames.binary(request.message());
  }

  @Override
  void begin() {
    keepAsking(CONNECTIONS, pool, AT_ONCE, PAUSE_MILLIS);
  }
}
