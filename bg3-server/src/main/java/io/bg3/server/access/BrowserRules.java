package io.bg3.server.access;

import io.bg3.server.log.Printable;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps pages of other sites, open in a browser that reaches the server, from using it.
 *
 * <ul>
 *   <li>B1: a page may send requests to any address, and a browser says from where: a request with
 *       an {@code Origin} that is not the server itself, or that {@code Sec-Fetch-Site} calls
 *       another site's, is refused. Drivers and curl send neither, or the server itself.
 *   <li>B2: a page may have its own name resolve to any address, and is the same origin then. So a
 *       server that listens on a loopback address, and one on any address that asks for no password
 *       and has no certificate, answers only to names that a page cannot have: addresses, {@code
 *       localhost}, this machine's name, and names that the settings list. A server that other
 *       machines reach answers also to names without a dot and to those that end in {@code .local}
 *       or {@code .internal}, which nobody can register. A network that the machine visits may give
 *       such a name to a page, so a server on a loopback address does not. (Elsewhere the page
 *       lacks the password, or the certificate does not fit its name.)
 * </ul>
 *
 * <p>Threads: any, without state.
 */
public final class BrowserRules {
  /** Ends of names that no public name server resolves. */
  private static final List<String> PRIVATE = List.of(".local", ".internal");

  /** The end of names that a browser itself takes for its own machine. */
  private static final String OWN = ".localhost";

  private final boolean needsName;
  private final boolean isLoopback;
  private final Set<String> names;

  /**
   * Rules of a server that listens on a host.
   *
   * @param known names that it answers to besides, in lower case
   * @param isGuarded whether a password or a certificate keeps pages out that have another name
   */
  public BrowserRules(String host, Set<String> known, boolean isGuarded) {
    this.isLoopback = isLoopback(host);
    this.needsName = isLoopback || !isGuarded;
    this.names = new HashSet<>(known);
    names.add("localhost");
    names.add(host.toLowerCase(Locale.ROOT));
    names.add(ownName());
  }

  private static String ownName() {
    try {
      return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
    } catch (UnknownHostException e) {
      return "localhost"; // the machine has no other
    }
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
    if (needsName && !isOwn(named)) { // B2
      return Optional.of(
          "the server does not answer to this name, use its address or list the name in"
              + " server.hosts: Host="
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
    return names.contains(name)
        || name.endsWith(OWN)
        || (!isLoopback && isPrivate(name))
        || NetUtil.isValidIpV4Address(name)
        || NetUtil.isValidIpV6Address(name);
  }

  private static boolean isPrivate(String name) {
    return (!name.isEmpty() && name.indexOf('.') < 0 && name.indexOf(':') < 0)
        || PRIVATE.stream().anyMatch(name::endsWith);
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
