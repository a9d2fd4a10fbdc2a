package io.bg3.linkbench.phase;

import io.bg3.linkbench.measure.Measurement;
import io.bg3.linkbench.measure.Recording;
import io.bg3.linkbench.measure.Results;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.NodeDegrees;
import io.bg3.linkbench.workload.PhaseSeeds;
import io.bg3.linkbench.workload.Request;
import io.bg3.linkbench.workload.RequestStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests by several requesters at once: first a warm-up that is not measured, then each requester
 * until it has done its requests or the time is over.
 */
public final class RunPhase {
  private final LinkDatabase database;
  private final List<RequestStream> streams = new ArrayList<>();
  private final PhaseControl control;
  private final long requests;
  private final long warmup;
  private final long time;
  private final long mostFailures;
  private final AtomicInteger aborted = new AtomicInteger();
  private final AtomicReference<LinkStoreException> firstFailure = new AtomicReference<>();
  private volatile long measuredFrom;

  /**
   * The result of a run.
   *
   * @param results latencies
   * @param aborted how many requesters gave up because too much had failed
   * @param firstFailure what failed first, null if nothing did
   */
  public record Outcome(Results results, int aborted, LinkStoreException firstFailure) {}

  /**
   * Requests as a configuration describes them.
   *
   * @param control is told of requests that were measured
   * @throws io.bg3.linkbench.workload.ConfigException if it does not
   */
  public RunPhase(
      LinkDatabase database,
      Config config,
      NodeDegrees degrees,
      PhaseSeeds seeds,
      PhaseControl control) {
    this.database = database;
    this.control = control;
    this.requests = config.number("requests");
    this.warmup = TimeUnit.SECONDS.toNanos(Math.max(0, config.number("warmup_time", 0)));
    this.time = TimeUnit.SECONDS.toNanos(config.number("maxtime"));
    this.mostFailures = config.number("max_failed_requests", 0);
    int requesters = config.count("requesters", 1, 100_000);
    for (int i = 0; i < requesters; i++) {
      streams.add(
          new RequestStream(
              config, degrees, seeds.next(), System::currentTimeMillis, i, requesters));
    }
  }

  /**
   * Runs until all is done or it is told to stop.
   *
   * @throws LinkStoreException if the store cannot be reached
   */
  public Outcome run() {
    long wallFrom = System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(warmup);
    Measurement measurement = new Measurement(wallFrom, database::checkpoints);
    WorkerThreads crew = new WorkerThreads(control);
    for (RequestStream stream : streams) {
      Recording recording = measurement.recording();
      crew.add(() -> request(stream, recording));
    }
    measuredFrom = System.nanoTime() + warmup;
    crew.run("request", () -> measurement.tick(System.currentTimeMillis()));
    return new Outcome(measurement.results(), aborted.get(), firstFailure.get());
  }

  private void request(RequestStream stream, Recording recording) {
    try (LinkSession session = database.session()) {
      long from = measuredFrom;
      long until = from + time;
      long due = System.nanoTime();
      long done = 0;
      long failures = 0;
      while (done < requests && !control.isStopped()) {
        long gap = stream.gap();
        if (gap > 0) {
          due += gap;
          if (!waitFor(Math.min(due, until))) {
            return;
          }
        }
        Request request = stream.next();
        recording.begin();
        long begin = System.nanoTime();
        boolean measured = begin >= from;
        if (begin >= until) {
          return;
        }
        try {
          Object answer = request.perform(session);
          if (measured) {
            recording.end(request.operation(), System.nanoTime() - begin);
          }
          stream.answered(request, answer);
        } catch (LinkStoreException e) {
          firstFailure.compareAndSet(null, e);
          if (measured) {
            recording.failed();
          }
          if (mostFailures >= 0 && ++failures > mostFailures) {
            aborted.incrementAndGet();
            return;
          }
          session.reset();
        }
        if (measured) {
          done++;
          control.advance(1);
        }
      }
    }
  }

  /** Waits for a time and says whether it came before the phase was told to stop. */
  private boolean waitFor(long due) {
    long left;
    while ((left = due - System.nanoTime()) > 0) {
      if (control.isStopped()) {
        return false;
      }
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
    }
    return true;
  }
}
