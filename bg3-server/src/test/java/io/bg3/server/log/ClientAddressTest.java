package io.bg3.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One host is one address, however many it has. */
class ClientAddressTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.9, 10.0.0.9",
    "::ffff:10.0.0.9, 10.0.0.9",
    "2001:db8:0:1:2:3:4:5, 2001:db8:0:1:0:0:0:0/64",
    "2001:db8:0:1::, 2001:db8:0:1:0:0:0:0/64",
    "2001:db8:0:2::, 2001:db8:0:2:0:0:0:0/64",
    "::1, 0:0:0:0:0:0:0:0/64",
  })
  void isTheHostOrItsNetwork(String host, String address) throws Exception {
    assertEquals(address, ClientAddress.of(new InetSocketAddress(InetAddress.getByName(host), 1)));
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.9, 10.1.2.0/24",
    "::ffff:10.1.2.9, 10.1.2.0/24",
    "2001:db8:7:1:2:3:4:5, 2001:db8:7:0:0:0:0:0/48",
  })
  void aNetworkIsWhatOneCustomerMayHave(String host, String network) throws Exception {
    assertEquals(network, ClientAddress.network(InetAddress.getByName(host)));
  }
}
