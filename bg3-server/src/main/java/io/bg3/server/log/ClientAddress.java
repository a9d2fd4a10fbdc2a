package io.bg3.server.log;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The address of a client as limits count it: an IPv4 address, or the network of an IPv6 address,
 * its first 64 bits, because one host usually has all addresses of such a network.
 *
 * <p>Threads: any, without state.
 */
public final class ClientAddress {
  private static final int NETWORK_BYTES = 8;

  private ClientAddress() {}

  /** The address of the other end of a connection. */
  public static String of(SocketAddress remote) {
    return remote instanceof InetSocketAddress internet && internet.getAddress() != null
        ? of(internet.getAddress())
        : String.valueOf(remote);
  }

  /** The address of a host. */
  public static String of(InetAddress host) {
    if (!(host instanceof Inet6Address)) {
      return host.getHostAddress();
    }
    byte[] network = Arrays.copyOf(host.getAddress(), NETWORK_BYTES);
    try {
      byte[] first = Arrays.copyOf(network, host.getAddress().length);
      return InetAddress.getByAddress(first).getHostAddress() + "/64";
    } catch (UnknownHostException e) {
      throw new AssertionError("the length of an address: " + host, e);
    }
  }
}
