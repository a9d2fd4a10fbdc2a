package io.bg3.server.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/**
 * The event loop of the attackers: every connection and every timer of every attack, in the one
 * thread that calls {@link #run}. The server and its attackers share the processors of the machine,
 * so an attacker must cost less than what it asks of the server.
 */
final class Swarm implements AutoCloseable {
  private static final int READ_BYTES = 64 << 10;
  private static final long IDLE_MILLIS = 100;

  private final Selector selector;
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final ByteBuffer incoming = ByteBuffer.allocateDirect(READ_BYTES);
  private long started;

  /** A task and when it is due; tasks that are due together run in the order of their number. */
  private record Timer(long nanos, long number, Runnable task) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      int order = Long.compare(nanos - other.nanos, 0);
      return order != 0 ? order : Long.compare(number, other.number);
    }
  }

  Swarm() {
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a task later, in the thread of the loop. */
  void after(long millis, Runnable task) {
    timers.add(
        new Timer(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), ++started, task));
  }

  /**
   * Connects a peer to a port of this machine.
   *
   * @param from the address that the server sees
   * @param receiveBytes size of the receive buffer of the socket, 0 for the system's choice
   */
  void connect(Peer peer, InetAddress from, int port, int receiveBytes) {
    try {
      SocketChannel channel = SocketChannel.open();
      channel.configureBlocking(false);
      if (receiveBytes > 0) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
      }
      channel.bind(new InetSocketAddress(from, 0));
      peer.registered(channel, channel.register(selector, SelectionKey.OP_CONNECT, peer));
      if (channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
        peer.finishConnect();
      }
    } catch (IOException e) {
      peer.fail();
    }
  }

  /** Runs timers and connections until the time is over. */
  void run(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      runDueTimers();
      select();
    }
  }

  private void runDueTimers() {
    while (!timers.isEmpty() && timers.peek().nanos() <= System.nanoTime()) {
      timers.remove().task().run();
    }
  }

  private void select() {
    long wait = IDLE_MILLIS;
    if (!timers.isEmpty()) {
      long nanos = timers.peek().nanos() - System.nanoTime();
      wait = Math.max(1, Math.min(wait, TimeUnit.NANOSECONDS.toMillis(nanos)));
    }
    try {
      selector.select(key -> ((Peer) key.attachment()).ready(incoming), wait);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes all connections. */
  @Override
  public void close() {
    selector.keys().stream()
        .map(key -> (Peer) key.attachment())
        .toList() // closing changes the set
        .forEach(Peer::abandon);
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
