package io.bg3.server.hostile;

import java.nio.ByteBuffer;

/** Sends one HTTP request on a connection of its own and counts the status of the answer. */
final class HttpPeer extends Peer {
  private static final int STATUS_BYTES = 12; // HTTP/1.1 200
  private static final long PATIENCE_MILLIS = 8_000;

  private final Attack attack;
  private final ByteBuffer request;
  private final Runnable then;
  private final ByteBuffer status = ByteBuffer.allocate(STATUS_BYTES);

  private HttpPeer(Attack attack, ByteBuffer request, Runnable then) {
    this.attack = attack;
    this.request = request;
    this.then = then;
  }

  /**
   * A peer that closes its connection when the answer begins, and gives up after a while.
   *
   * @param then what to do when the connection is over
   */
  static HttpPeer once(Attack attack, ByteBuffer request, Runnable then) {
    HttpPeer peer = new HttpPeer(attack, request, then);
    attack.after(PATIENCE_MILLIS, () -> peer.end("no answer"));
    return peer;
  }

  @Override
  void connected() {
    send(request);
  }

  @Override
  void received(ByteBuffer bytes) {
    while (bytes.hasRemaining() && status.hasRemaining()) {
      status.put(bytes.get());
    }
    if (!status.hasRemaining()) {
      byte[] line = status.array();
      end("http " + (char) line[9] + (char) line[10] + (char) line[11]);
    }
  }

  private void end(String how) {
    if (!isOver()) {
      abandon();
      attack.count(how);
      then.run();
    }
  }

  @Override
  void closed() {
    attack.count("closed");
    then.run();
  }
}
