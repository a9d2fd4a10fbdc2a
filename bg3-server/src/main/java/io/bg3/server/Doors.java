package io.bg3.server;

import io.bg3.server.access.Access;
import io.bg3.server.access.AccessSettings;
import io.bg3.server.access.AuditFile;
import io.bg3.server.access.AuditLog;
import io.bg3.server.access.BrowserRules;
import io.bg3.server.access.Logins;
import io.bg3.server.access.Readiness;
import io.bg3.server.access.Tls;
import io.bg3.server.access.Users;
import io.bg3.server.access.UsersFile;
import io.bg3.server.log.ClientLog;
import io.bg3.server.metrics.MetricsExport;
import io.bg3.server.metrics.ServerMeters;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a server needs before it lets anybody in: users, keys, the audit log and the figures. They
 * are read first of all, so that a mistake in them is told before a store is opened.
 *
 * <p>Threads: any; closed once.
 */
public final class Doors implements AutoCloseable {
  private final Access access;
  private final Optional<SslContext> tls;
  private final Optional<AuditFile> audit;
  private final MetricsExport export;
  private final ServerMeters meters;
  private final ClientLog clientLog = new ClientLog();
  private final Readiness readiness = new Readiness();

  private Doors(
      Access access, Optional<SslContext> tls, Optional<AuditFile> audit, MetricsExport export) {
    this.access = access;
    this.tls = tls;
    this.audit = audit;
    this.export = export;
    this.meters = new ServerMeters(export.registry());
  }

  /**
   * Reads what the settings name.
   *
   * @throws IOException if a file is missing or is not what it should be, saying which and why
   */
  public static Doors open(ServerSettings settings) throws IOException {
    AccessSettings access = settings.access();
    Optional<SslContext> tls = Optional.empty();
    if (access.keystore().isPresent()) {
      tls = Optional.of(Tls.read(access.keystore().get(), access.password()));
    }
    Optional<Logins> logins = Optional.empty();
    Optional<AuditFile> audit = Optional.empty();
    if (access.users().isPresent()) {
      logins = Optional.of(new Logins(Users.open(new UsersFile(access.users().get()))));
      audit = audit(access.audit());
    }
    return new Doors(
        new Access(logins, new AuditLog(logins.isPresent()), new BrowserRules(settings.host())),
        tls,
        audit,
        new MetricsExport(settings.metrics()));
  }

  private static Optional<AuditFile> audit(Optional<Path> file) throws IOException {
    return file.isPresent() ? Optional.of(AuditFile.open(file.get())) : Optional.empty();
  }

  Access access() {
    return access;
  }

  Optional<SslContext> tls() {
    return tls;
  }

  MetricsExport export() {
    return export;
  }

  Readiness readiness() {
    return readiness;
  }

  ClientLog clientLog() {
    return clientLog;
  }

  ServerMeters meters() {
    return meters;
  }

  /** Shows no more figures: those of the store end with it. */
  void closeFigures() {
    export.close();
  }

  /** To be called when no request is judged any more, so that the audit log has all of them. */
  @Override
  public void close() {
    export.close();
    access.logins().ifPresent(Logins::close);
    clientLog.close();
    audit.ifPresent(AuditFile::close);
  }
}
