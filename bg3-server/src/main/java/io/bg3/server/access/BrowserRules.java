package io.bg3.server.access;

import io.bg3.server.log.Printable;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;

/**
 * Keeps pages of other sites, open in a browser that reaches the server, from using it.
 *
 * <ul>
 *   <li>B1: a page may send requests to any address, and a browser says from where: a request with
 *       an {@code Origin} that is not the server itself, or that {@code Sec-Fetch-Site} calls
 *       another site's, is refused. Drivers and curl send neither, or the server itself.
 *   <li>B2: a page may have its own name resolve to 127.0.0.1, and is the same origin then. So a
 *       server that listens on a loopback address answers only to addresses and {@code localhost}.
 *       (Elsewhere a certificate that does not fit the name says it.)
 * </ul>
 *
 * <p>Threads: any, without state.
 */
public final class BrowserRules {
  private final boolean local;
  private final String host;

  /** Rules of a server that listens on a host. */
  public BrowserRules(String host) {
    this.host = host.toLowerCase(Locale.ROOT);
    this.local = isLoopback(host);
  }

  /** Whether an address is one that other machines do not reach; false if it is not known. */
  public static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Why a request has to be refused, empty if it has not. */
  public Optional<String> problem(HttpHeaders headers) {
    if (headers.getAll(HttpHeaderNames.HOST).size() != 1) {
      return Optional.of("a request has to name one Host");
    }
    String named = headers.get(HttpHeaderNames.HOST);
    if (local && !isOwn(named)) { // B2
      return Optional.of(
          "the server listens on this machine only and does not answer to this name, use localhost"
              + " or the address: Host="
              + Printable.of(named, 200));
    }
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    if (origin != null && !isSame(origin, named)) { // B1
      return Optional.of(
          "pages of other sites are not served: Origin=" + Printable.of(origin, 200));
    }
    String site = headers.get("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return Optional.of(
          "pages of other sites are not served: Sec-Fetch-Site=" + Printable.of(site, 50));
    }
    return Optional.empty();
  }

  private boolean isOwn(String named) {
    String name = name(named);
    return name.equals("localhost")
        || name.equals(host)
        || NetUtil.isValidIpV4Address(name)
        || NetUtil.isValidIpV6Address(name);
  }

  /** The host of a Host header, without port and brackets. */
  private static String name(String named) {
    String lower = named.toLowerCase(Locale.ROOT);
    if (lower.startsWith("[")) {
      int end = lower.indexOf(']');
      return end < 0 ? lower : lower.substring(1, end);
    }
    int colon = lower.indexOf(':');
    return colon < 0 ? lower : lower.substring(0, colon);
  }

  private static boolean isSame(String origin, String named) {
    try {
      URI uri = URI.create(origin);
      String authority = uri.getRawAuthority();
      if (authority == null || uri.getScheme() == null) {
        return false;
      }
      int standard =
          switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
            case "https", "wss" -> 443;
            default -> 80;
          };
      return withPort(authority, standard).equalsIgnoreCase(withPort(named, standard));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String withPort(String authority, int standard) {
    int colon = authority.lastIndexOf(':');
    return colon > authority.lastIndexOf(']') ? authority : authority + ":" + standard;
  }
}
