package io.bg3.server.access;

import io.bg3.server.log.ClientAddress;
import java.net.InetAddress;

/**
 * The address and the user of an attempt to log in.
 *
 * @param network as {@link ClientAddress#network} gives it
 * @param address as {@link ClientAddress#of} gives it
 * @param name that was given, no longer than is needed to know that it is no user's
 */
record LoginKey(String network, String address, String name) {
  private static final int LONGEST = User.LONGEST_NAME + 1;

  static LoginKey of(InetAddress from, String name) {
    String key = name.length() > LONGEST ? name.substring(0, LONGEST) : name;
    return new LoginKey(ClientAddress.network(from), ClientAddress.of(from), key);
  }
}
