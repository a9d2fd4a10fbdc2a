package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers to headers that browsers, drivers and attackers' pages send. */
class BrowserRulesTest {
  @ParameterizedTest
  @CsvSource({
    // listens on, Host, Origin, Sec-Fetch-Site, whether it is let in
    "127.0.0.1, 127.0.0.1:8183, , , true",
    "127.0.0.1, localhost:8183, , , true",
    "127.0.0.1, LOCALHOST, , , true",
    "127.0.0.1, [::1]:8183, , , true",
    "::1, [::1]:8183, http://[::1]:8183, , true",
    "127.0.0.1, localhost:8183, http://localhost:8183, same-origin, true",
    "127.0.0.1, localhost:8183, , none, true",
    "127.0.0.1, localhost, http://localhost:80, , true",
    "127.0.0.1, evil.example:8183, http://evil.example:8183, same-origin, false",
    "127.0.0.1, evil.example, , , false",
    "127.0.0.1, 127.0.0.1.evil.example, , , false",
    "127.0.0.1, localhost.evil.example, , , false",
    "127.0.0.1, bg3.localhost:8182, , , true",
    "127.0.0.1, bg3:8182, , , false",
    "127.0.0.1, evil.local, , , false",
    "127.0.0.1, evil.internal, , , false",
    "::1, evil.internal, , , false",
    "127.0.0.1, localhost:8183, http://evil.example, cross-site, false",
    "127.0.0.1, localhost:8183, http://localhost:3000, same-site, false",
    "127.0.0.1, localhost:8183, http://127.0.0.1:8183, , false",
    "127.0.0.1, localhost:8183, null, , false",
    "127.0.0.1, localhost:8183, ://, , false",
    "127.0.0.1, localhost:8183, , cross-site, false",
    "127.0.0.1, localhost:8183, , same-site, false",
    "127.0.0.1, '', , , false",
    "127.0.0.1, , , , false",
    "0.0.0.0, 192.168.0.7:8182, , , true",
    "0.0.0.0, [fe80::1]:8182, , , true",
    "0.0.0.0, localhost:8182, , , true",
    "0.0.0.0, bg3:8182, , , true",
    "0.0.0.0, bg3.default.svc.cluster.local:8182, , , true",
    "0.0.0.0, bg3.internal, , , true",
    "0.0.0.0, DB.example:8182, , , true",
    "0.0.0.0, evil.example:8182, http://evil.example:8182, same-origin, false",
    "0.0.0.0, evil.example:8182, , , false",
    "0.0.0.0, local, , , true",
    "0.0.0.0, evil.local.example, , , false",
    "0.0.0.0, 1.evil.example, , , false",
    "127.0.0.1, db.example, , , true",
    "0.0.0.0, db.example, , , true",
    "0.0.0.0, db.example, https://db.example:443, , true",
    "0.0.0.0, db.example, http://db.example:443, , false",
    "0.0.0.0, db.example:443, https://db.example, , true",
    "0.0.0.0, db.example, http://evil.example, , false",
  })
  void lets(String listens, String host, String origin, String site, boolean in) {
    HttpHeaders headers = new DefaultHttpHeaders();
    add(headers, "Host", host);
    add(headers, "Origin", origin);
    add(headers, "Sec-Fetch-Site", site);
    assertEquals(
        in,
        rules(listens).problem(headers).isEmpty(),
        () -> headers + " " + rules(listens).problem(headers));
  }

  @Test
  void aPasswordOrACertificateKeepsPagesOutThatHaveAnotherName() {
    HttpHeaders headers = new DefaultHttpHeaders();
    add(headers, "Host", "other.example:8182");
    assertFalse(rules("0.0.0.0").problem(headers).isEmpty());
    assertTrue(new BrowserRules("0.0.0.0", Set.of(), true).problem(headers).isEmpty());
    assertFalse(new BrowserRules("127.0.0.1", Set.of(), true).problem(headers).isEmpty());
  }

  private static BrowserRules rules(String listens) {
    return new BrowserRules(listens, Set.of("db.example"), false);
  }

  private static void add(HttpHeaders headers, String name, String value) {
    if (value != null) {
      headers.add(name, value);
    }
  }
}
