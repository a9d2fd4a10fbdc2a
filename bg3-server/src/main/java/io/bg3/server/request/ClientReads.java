package io.bg3.server.request;

import io.bg3.server.answer.Answers;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;

/**
 * Makes a worker thread wait while a client does not read: the next message is serialized only when
 * the connection has room for it.
 *
 * <p>Threads: any but those of connections, which make room.
 */
final class ClientReads {
  /** How often a thread asks whether the client reads. */
  private static final long LOOK_MILLIS = 10;

  private ClientReads() {}

  /**
   * Waits until a connection can be written to or is closed.
   *
   * @return false if it is closed
   * @throws InterruptedException if the thread was told to end
   */
  static boolean await(Channel channel) throws InterruptedException {
    while (channel.isActive() && !channel.isWritable()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return channel.isActive();
  }

  /**
   * Waits like {@link #await(Channel)}, and closes the connection of a client that does not read in
   * time.
   *
   * @param limit how long the client may take
   * @return false if the connection is closed
   * @throws InterruptedException if the thread was told to end
   */
  static boolean await(Channel channel, long limit, TimeUnit unit) throws InterruptedException {
    long end = System.nanoTime() + unit.toNanos(limit);
    while (channel.isActive() && !channel.isWritable()) {
      if (System.nanoTime() - end > 0) {
        Answers.close(channel);
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return channel.isActive();
  }
}
