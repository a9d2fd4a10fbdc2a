package io.bg3.server.access;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS context of a server, whose keystore is read again when it changes:
 *
 * <ul>
 *   <li>T1: a connection keeps the certificate with which it began. One that begins after a reload
 *       gets the new one, and can resume no session that began with the old one.
 *   <li>T2: a keystore that cannot be used replaces nothing: the certificate from before holds, and
 *       the log and the metrics say so.
 * </ul>
 *
 * <p>Threads: any. A thread of its own looks at the file each second.
 */
public final class ReloadedTls extends SslContext implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReloadedTls.class);
  private static final long LOOK_SECONDS = 1;

  private final Path keystore;
  private final String password;
  private final LongAdder reloads = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final ScheduledExecutorService looking =
      Executors.newSingleThreadScheduledExecutor(
          new BasicThreadFactory.Builder().namingPattern("bg3-tls-watch").daemon(true).build());
  private volatile Tls.Key key;
  private String version; // of the file at the last look; guarded by this

  private ReloadedTls(Path keystore, String password) throws IOException {
    this.keystore = keystore;
    this.password = password;
    this.version = FileVersion.of(keystore);
    this.key = Tls.read(keystore, password);
  }

  /**
   * Reads a keystore and begins to look whether it changes.
   *
   * @param password the password of the keystore and of its key
   * @throws IOException if the keystore cannot be read or has no valid certificate; the message
   *     says why
   */
  public static ReloadedTls open(Path keystore, String password) throws IOException {
    ReloadedTls tls = new ReloadedTls(keystore, password);
    var unused =
        tls.looking.scheduleWithFixedDelay(tls::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    return tls;
  }

  private void look() {
    try {
      refresh();
    } catch (RuntimeException | Error e) { // the next look is not given up
      LOG.error("cannot check the keystore: file={}", keystore, e);
    }
  }

  /** Reads the keystore if it has changed since the last look. */
  synchronized void refresh() {
    String now;
    try {
      now = FileVersion.of(keystore);
    } catch (IOException e) {
      now = "unreadable";
    }
    if (now.equals(version)) {
      return;
    }
    version = now;
    try {
      read();
    } catch (IOException e) {
      LOG.warn("the server keeps the earlier TLS certificate: {}", e.getMessage());
    }
  }

  /**
   * Reads the keystore now, whether it has changed or not.
   *
   * @return when its certificate expires
   * @throws IOException if it cannot be used; then the certificate from before holds
   */
  public synchronized Instant reload() throws IOException {
    version = FileVersion.of(keystore);
    return read();
  }

  private Instant read() throws IOException {
    try {
      key = Tls.read(keystore, password);
    } catch (IOException | RuntimeException e) {
      failures.increment();
      throw e;
    }
    reloads.increment();
    LOG.info("a TLS certificate was read: file={}, until={}", keystore, key.until());
    return key.until();
  }

  /** When the certificate expires that connections get. */
  public Instant until() {
    return key.until();
  }

  /** How often a keystore was read again and used. */
  public long reloads() {
    return reloads.sum();
  }

  /** How often a keystore could not be used. */
  public long failures() {
    return failures.sum();
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return key.context().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's own interface asks for it
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return key.context().applicationProtocolNegotiator();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return key.context().newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
    return key.context().newEngine(allocator, host, port);
  }

  @Override
  public SSLSessionContext sessionContext() {
    return key.context().sessionContext();
  }

  /** Looks at the file no more. */
  @Override
  public void close() {
    looking.shutdownNow();
  }
}
