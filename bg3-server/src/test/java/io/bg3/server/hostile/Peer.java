package io.bg3.server.hostile;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The client's end of a TCP connection. Subclasses override the methods that are told of its
 * events. Belongs to the thread of its {@link Swarm}.
 */
abstract class Peer {
  private final Deque<ByteBuffer> outgoing = new ArrayDeque<>();
  private SocketChannel channel;
  private SelectionKey key;
  private boolean reading = true;
  private boolean over;

  /** The connection is made. */
  void connected() {}

  /** Bytes have come; those that are left in the buffer are lost. */
  void received(ByteBuffer bytes) {}

  /** All that was sent is with the system. */
  void drained() {}

  /** The connection could not be made, or is closed by the server; called once. */
  void closed() {}

  final void registered(SocketChannel ofPeer, SelectionKey inSelector) {
    this.channel = ofPeer;
    this.key = inSelector;
  }

  final void ready(ByteBuffer incoming) {
    try {
      if (key.isConnectable() && channel.finishConnect()) {
        finishConnect();
      }
      if (key.isValid() && key.isWritable()) {
        write();
      }
      if (key.isValid() && key.isReadable()) {
        read(incoming);
      }
    } catch (IOException e) {
      fail();
    }
  }

  final void finishConnect() {
    interest();
    connected();
  }

  private void read(ByteBuffer incoming) throws IOException {
    incoming.clear();
    int count = channel.read(incoming);
    if (count < 0) {
      fail();
    } else {
      received(incoming.flip());
    }
  }

  private void write() throws IOException {
    while (!outgoing.isEmpty()) {
      ByteBuffer first = outgoing.peek();
      channel.write(first);
      if (first.hasRemaining()) {
        return;
      }
      outgoing.remove();
    }
    interest();
    drained();
  }

  private void interest() {
    if (key.isValid()) {
      key.interestOps(
          (reading ? SelectionKey.OP_READ : 0) | (outgoing.isEmpty() ? 0 : SelectionKey.OP_WRITE));
    }
  }

  /** Sends bytes, which many peers may share. */
  final void send(ByteBuffer bytes) {
    if (!over) {
      outgoing.add(bytes.duplicate());
      interest();
    }
  }

  /** Leaves what the server sends unread from now on. */
  final void stopReading() {
    reading = false;
    interest();
  }

  final boolean isOver() {
    return over;
  }

  /** Closes the connection without a word, by a reset. */
  final void reset() {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException e) {
      over = true; // it is closed already
    }
    abandon();
  }

  /** Closes the connection; {@link #closed} is not called. */
  final void abandon() {
    over = true;
    outgoing.clear();
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        key.cancel();
      }
    }
  }

  final void fail() {
    if (!over) {
      abandon();
      closed();
    }
  }
}
