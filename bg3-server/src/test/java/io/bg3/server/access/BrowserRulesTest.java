package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the headers of browsers, drivers and attackers' pages lead to. */
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
    "127.0.0.1, localhost:8183, http://evil.example, cross-site, false",
    "127.0.0.1, localhost:8183, http://localhost:3000, same-site, false",
    "127.0.0.1, localhost:8183, http://127.0.0.1:8183, , false",
    "127.0.0.1, localhost:8183, null, , false",
    "127.0.0.1, localhost:8183, ://, , false",
    "127.0.0.1, localhost:8183, , cross-site, false",
    "127.0.0.1, localhost:8183, , same-site, false",
    "127.0.0.1, '', , , false",
    "127.0.0.1, , , , false",
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
        new BrowserRules(listens).problem(headers).isEmpty(),
        () -> headers + " " + new BrowserRules(listens).problem(headers));
  }

  private static void add(HttpHeaders headers, String name, String value) {
    if (value != null) {
      headers.add(name, value);
    }
  }
}
