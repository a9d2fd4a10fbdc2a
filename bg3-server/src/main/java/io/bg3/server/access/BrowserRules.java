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
 * Protects the server from web pages that run in a browser with access to the server.
 *
 * <ul>
 *   <li>B1: a page can send requests to any address, and the browser adds where the page comes
 *       from. The server refuses a request whose {@code Origin} is not the server itself, and one
 *       whose {@code Sec-Fetch-Site} names another site. Drivers and curl send neither header, or
 *       name the server itself.
 *   <li>B2: a page can make its own host name resolve to any address (DNS rebinding), and then has
 *       the server's origin. The check of the {@code Host} header protects a server that listens on
 *       a loopback address, and one on any address that has neither passwords nor a certificate.
 *       Such a server accepts only names that a page cannot have: IP addresses, {@code localhost},
 *       the name of this machine, and the names in the settings. A server on an address that is not
 *       a loopback address also accepts names without a dot and names that end in {@code .local} or
 *       {@code .internal}, which cannot be registered. A server on a loopback address does not
 *       accept these, because a network that the machine visits may give such a name to a page. In
 *       all other cases the page lacks the password, or the certificate does not match its name.
 * </ul>
 *
 * <p>Threads: any; immutable.
 */
public final class BrowserRules {
  /** Suffixes of names that no public name server resolves. */
  private static final List<String> PRIVATE = List.of(".local", ".internal");

  /** The suffix of names that a browser resolves to its own machine. */
  private static final String OWN = ".localhost";

  private final boolean needsName;
  private final boolean isLoopback;
  private final Set<String> names;

  /**
   * Creates the rules of a server that listens on a host.
   *
   * @param host the name or address that the server listens on
   * @param known additional names for the Host header, in lower case
   * @param isGuarded whether passwords or a certificate protect against pages under another name
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
      return "localhost"; // the machine has no other name
    }
  }

  /** Whether the host is a loopback address; false if the host cannot be resolved. */
  public static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * Checks the headers of a request.
   *
   * @return the reason to refuse the request; empty to accept it
   */
  public Optional<String> problem(HttpHeaders headers) {
    if (headers.getAll(HttpHeaderNames.HOST).size() != 1) {
      return Optional.of("a request needs exactly one Host header");
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
