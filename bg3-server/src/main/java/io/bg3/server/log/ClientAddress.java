package io.bg3.server.log;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The address of a client as limits count it: an IPv4 address, or the network of an IPv6 address,
 * its first 64 bits, because one host usually has all addresses of such a network. Its wider
 * network is what one customer of a provider may have: 24 bits of IPv4, 48 of IPv6.
 *
 * <p>Threads: any, without state.
 */
public final class ClientAddress {
  private static final int HOST_BYTES = 8; // of IPv6
  private static final int NETWORK_BYTES = 6; // of IPv6
  private static final int NETWORK_BYTES_4 = 3; // of IPv4

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
    return prefix(host, HOST_BYTES);
  }

  /** The network that a host belongs to. */
  public static String network(InetAddress host) {
    return prefix(host, host instanceof Inet6Address ? NETWORK_BYTES : NETWORK_BYTES_4);
  }

  private static String prefix(InetAddress host, int bytes) {
    byte[] whole = host.getAddress();
    byte[] first = Arrays.copyOf(Arrays.copyOf(whole, bytes), whole.length);
    try {
      return InetAddress.getByAddress(first).getHostAddress() + "/" + bytes * Byte.SIZE;
    } catch (UnknownHostException e) {
      throw new AssertionError("the length of an address: " + host, e);
    }
  }
}
