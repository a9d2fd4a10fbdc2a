package io.bg3.server.access;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The client that tries to log in, as {@link Logins} needs it.
 *
 * @param address where it comes from
 * @param isGone whether its connection is closed, so that the attempt need not be made
 * @param audit told the outcome before the client, in a thread that may wait for a disk
 */
record LoginClient(InetAddress address, BooleanSupplier isGone, Consumer<Login> audit) {
  /** The client at the other end of a connection. */
  static LoginClient of(Channel channel, Consumer<Login> audit) {
    InetAddress address =
        channel.remoteAddress() instanceof InetSocketAddress internet
            ? internet.getAddress()
            : InetAddress.getLoopbackAddress();
    return new LoginClient(address, () -> !channel.isActive(), audit);
  }
}
