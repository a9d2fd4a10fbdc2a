package io.bg3.server;

import io.bg3.server.access.Access;
import io.bg3.server.access.AccessSettings;
import io.bg3.server.access.AuditFile;
import io.bg3.server.access.AuditLog;
import io.bg3.server.access.BrowserRules;
import io.bg3.server.access.Logins;
import io.bg3.server.access.Readiness;
import io.bg3.server.access.ReloadedTls;
import io.bg3.server.access.Users;
import io.bg3.server.access.UsersFile;
import io.bg3.server.connection.ReceiveBuffers;
import io.bg3.server.log.ClientLog;
import io.bg3.server.log.ForeignLineFilter;
import io.bg3.server.log.LogLayout;
import io.bg3.server.log.RotatedFile;
import io.bg3.server.metrics.MetricsExport;
import io.bg3.server.metrics.ServerMeters;
import io.bg3.server.query.QuerySpans;
import io.bg3.server.query.SlowQueryLog;
import io.bg3.server.request.EvaluatedRequests;
import io.bg3.server.request.ShareLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * The parts that a server needs before it admits a client: users, keys, the audit log and the
 * metrics. They are read first of all, so that a mistake in them is told before a store is opened.
 *
 * <p>Threads: any; closed once.
 */
public final class AccessSetup implements AutoCloseable {
  /** The part of the heap's size that bytes may take that are no request yet. */
  private static final int RECEIVED_PART = 16;

  /** The least of it, in messages of the largest size. */
  private static final int MESSAGES = 4;

  private final Access access;
  private final Optional<ReloadedTls> tls;
  private final List<AutoCloseable> files;
  private final EvaluatedRequests evaluated;
  private final MetricsExport export;
  private final ServerMeters meters;
  private final ShareLimits shares;
  private final long loginMillis;
  private final ReceiveBuffers receiveBuffers;
  private final ClientLog clientLog = new ClientLog();
  private final Readiness readiness = new Readiness();

  private AccessSetup(
      ServerSettings settings,
      Access access,
      Optional<ReloadedTls> tls,
      List<AutoCloseable> files,
      EvaluatedRequests evaluated,
      MetricsExport export) {
    this.access = access;
    this.tls = tls;
    this.files = files;
    this.evaluated = evaluated;
    this.export = export;
    this.meters = new ServerMeters(export.registry());
    access.audit().start();
    meters.watchLogs(RotatedFile::linesLost);
    tls.ifPresent(
        one -> meters.watchTls(one::reloads, one::failures, () -> one.until().getEpochSecond()));
    this.shares = settings.access().shares();
    this.loginMillis = settings.access().loginMillis();
    long heap = Runtime.getRuntime().maxMemory();
    this.receiveBuffers =
        new ReceiveBuffers(
            Math.max(heap / RECEIVED_PART, MESSAGES * (long) settings.contentLimit()), clientLog);
  }

  /**
   * Reads what the settings name.
   *
   * @throws IOException if a file is missing or is not what it should be, saying which and why
   */
  public static AccessSetup open(ServerSettings settings) throws IOException {
    AccessSettings access = settings.access();
    List<AutoCloseable> files = new ArrayList<>();
    Optional<ReloadedTls> tls = Optional.empty();
    if (access.keystore().isPresent()) {
      tls = Optional.of(ReloadedTls.open(access.keystore().get(), access.password()));
      files.add(tls.get());
    }
    AuditLog audit = new AuditLog(access.users().isPresent());
    Optional<Logins> logins = Optional.empty();
    if (access.users().isPresent()) {
      try {
        logins = Optional.of(new Logins(Users.open(new UsersFile(access.users().get())), audit));
      } catch (IOException e) {
        close(files);
        throw e;
      }
    }
    boolean needsNoName = logins.isPresent() || tls.isPresent();
    BrowserRules rules = new BrowserRules(settings.host(), access.hosts(), needsNoName);
    List<EvaluatedRequests> evaluated = new ArrayList<>();
    try {
      openFiles(access, files);
      if (settings.slowQueries().isOn()) {
        SlowQueryLog slow = SlowQueryLog.open(settings.slowQueries());
        files.add(slow);
        evaluated.add(slow);
      }
      if (settings.tracing().endpoint().isPresent()) {
        QuerySpans spans = QuerySpans.open(settings.tracing());
        files.add(spans);
        evaluated.add(spans);
      }
    } catch (IOException e) {
      logins.ifPresent(Logins::close);
      close(files);
      throw e;
    }
    return new AccessSetup(
        settings,
        new Access(logins, audit, rules, access.queries()),
        tls,
        files,
        evaluated.isEmpty() ? EvaluatedRequests.NONE : EvaluatedRequests.all(evaluated),
        new MetricsExport(settings.metrics()));
  }

  private static void openFiles(AccessSettings access, List<AutoCloseable> files)
      throws IOException {
    if (access.log().isPresent()) {
      files.add(
          RotatedFile.open(
              Logger.ROOT_LOGGER_NAME,
              access.log().get(),
              access.logRetention(),
              new LogLayout(),
              Optional.of(new ForeignLineFilter())));
    }
    if (access.users().isPresent() && access.audit().isPresent()) {
      files.add(AuditFile.open(access.audit().get(), access.auditRetention()));
    }
  }

  /** Closes in the opposite order: the audit log before the log that its lines go to then. */
  private static void close(List<AutoCloseable> files) {
    for (int i = files.size() - 1; i >= 0; i--) {
      try {
        files.get(i).close();
      } catch (Exception e) {
        throw new IllegalStateException("a log cannot be closed", e);
      }
    }
  }

  Access access() {
    return access;
  }

  Optional<ReloadedTls> tls() {
    return tls;
  }

  MetricsExport export() {
    return export;
  }

  /** Is told of the requests that were evaluated. */
  EvaluatedRequests evaluated() {
    return evaluated;
  }

  Readiness readiness() {
    return readiness;
  }

  ClientLog clientLog() {
    return clientLog;
  }

  ShareLimits shares() {
    return shares;
  }

  long loginMillis() {
    return loginMillis;
  }

  ReceiveBuffers receiveBuffers() {
    return receiveBuffers;
  }

  ServerMeters meters() {
    return meters;
  }

  /** Shows no more figures: those of the store end with it. */
  void closeFigures() {
    export.close();
  }

  /** To be called when no request is validated any more, so that the audit log has all of them. */
  @Override
  public void close() {
    try {
      export.close();
      access.logins().ifPresent(Logins::close);
      clientLog.close();
    } finally {
      access.audit().close(); // before its file
      close(files);
    }
  }
}
