package io.bg3.server.connection;

import io.bg3.server.answer.Admission;
import io.bg3.server.answer.Answers;
import io.bg3.server.log.ClientAddress;
import io.bg3.server.log.ClientLog;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.AttributeKey;

/**
 * Admits new connections as far as the {@link ConnectionTable} has room for them, and none while
 * the server stops. The handler of a login or of a first request notes here what becomes of the
 * connection, which may have to give way to a new one until then.
 *
 * <p>Threads: shared by all connections of an endpoint.
 */
@Sharable
public final class ConnectionGate extends ChannelInboundHandlerAdapter {
  private static final AttributeKey<Entry> ENTRY = AttributeKey.valueOf("bg3.connections");

  /**
   * A connection is read from once, up to 64 KiB, before the others of its event loop have their
   * turn. With Netty's 16 times, a few clients that send as fast as they can take a megabyte each.
   */
  private static final RecvByteBufAllocator READS =
      new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1);

  private final ConnectionTable<Channel> table;
  private final Admission intake;
  private final ClientLog log;

  /**
   * Admits the connections of an endpoint.
   *
   * @param limit the most at once
   * @param share the most of one address
   */
  public ConnectionGate(int limit, int share, Admission intake, ClientLog log) {
    this.table = new ConnectionTable<>(limit, share);
    this.intake = intake;
    this.log = log;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Channel channel = context.channel();
    if (!intake.take(channel)) {
      Answers.close(channel);
      return;
    }
    ConnectionTable.Admission<Channel> admission =
        table.add(channel, ClientAddress.of(channel.remoteAddress()));
    admission.closed().ifPresent(other -> giveWay(other));
    if (!admission.admitted()) {
      log.warn("connection refused", channel, "problem=too many connections are open");
      Answers.close(channel);
      return;
    }
    channel.attr(ENTRY).set(new Entry(table));
    channel.config().setRecvByteBufAllocator(READS);
    channel.closeFuture().addListener(closed -> table.remove(channel));
    context.fireChannelActive();
  }

  /** A connection in the table. Threads: its event loop. */
  private static final class Entry {
    private final ConnectionTable<Channel> table;

    /** Whether the table has it as busy, so that not every message takes the lock of the table. */
    private boolean isBusy;

    Entry(ConnectionTable<Channel> table) {
      this.table = table;
    }
  }

  private void giveWay(Channel idle) {
    log.warn(
        "connection without a login or a request closed",
        idle,
        "problem=too many connections are open");
    Answers.close(idle);
  }

  /**
   * Notes that the password of a connection is being compared; it gives way where no connection is
   * idle. Called in the event loop of the connection, as the others are.
   */
  public static void setTrying(Channel channel) {
    Entry entry = channel.attr(ENTRY).get();
    if (entry != null) {
      entry.table.setTrying(channel);
    }
  }

  /**
   * Notes that a connection has logged in or, where nobody logs in, has asked for something; it
   * does not give way any more.
   */
  public static void setBusy(Channel channel) {
    Entry entry = channel.attr(ENTRY).get();
    if (entry != null && !entry.isBusy) {
      entry.isBusy = true;
      entry.table.setBusy(channel);
    }
  }

  /** Notes that a connection was refused what it asked for; it gives way again. */
  public static void setIdle(Channel channel) {
    Entry entry = channel.attr(ENTRY).get();
    if (entry != null) {
      entry.isBusy = false;
      entry.table.setIdle(channel);
    }
  }
}
