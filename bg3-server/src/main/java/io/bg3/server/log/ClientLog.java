package io.bg3.server.log;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The faults of clients, under the logger {@value #NAME}: one line of at most {@value #LENGTH}
 * characters for each event, a few of a kind from an address in ten seconds. Lines that are left
 * out are counted, and the count is written when the ten seconds are over.
 *
 * <p>A detail is escaped here; a caller passes no bytes of a connection and no query.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a summary gives nothing back
public final class ClientLog implements AutoCloseable {
  /** The logger's name. */
  public static final String NAME = "bg3.client";

  /** Characters of a line, time and level apart. */
  public static final int LENGTH = 500;

  private static final Logger LOG = LoggerFactory.getLogger(NAME);

  private final LineLimit limit;
  private final ScheduledExecutorService summaries =
      Executors.newSingleThreadScheduledExecutor(
          new BasicThreadFactory.Builder().namingPattern("bg3-client-log").daemon(true).build());

  /** A log that has written nothing yet. */
  public ClientLog() {
    this(new LineLimit());
  }

  ClientLog(LineLimit limit) {
    this.limit = limit;
    summaries.scheduleWithFixedDelay(
        () -> LineLimit.summarise(LOG, limit.ended()),
        LineLimit.WINDOW_SECONDS,
        LineLimit.WINDOW_SECONDS,
        TimeUnit.SECONDS);
  }

  /**
   * Writes a line, unless there were many of the kind from this client's address.
   *
   * @param kind what happened, in words of the program
   * @param detail what else is known of it, possibly in words of the client
   */
  public void warn(String kind, Channel from, String detail) {
    if (limit.admits("kind=\"" + kind + "\", from=" + ClientAddress.of(from.remoteAddress()))) {
      String line = kind + ": from=" + address(from.remoteAddress());
      LOG.warn(
          "{}{}",
          line,
          detail.isEmpty() ? "" : ", " + Printable.cut(detail, LENGTH - line.length() - 2));
    }
  }

  /** Address and port of the other end of a connection. */
  public static String address(SocketAddress remote) {
    return remote instanceof InetSocketAddress internet && internet.getAddress() != null
        ? internet.getAddress().getHostAddress() + ":" + internet.getPort()
        : String.valueOf(remote);
  }

  /** Writes what was left out until now. */
  @Override
  public void close() {
    summaries.shutdownNow();
    LineLimit.summarise(LOG, limit.end());
  }
}
