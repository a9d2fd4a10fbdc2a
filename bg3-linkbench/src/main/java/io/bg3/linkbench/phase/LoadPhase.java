package io.bg3.linkbench.phase;

import io.bg3.linkbench.measure.Measurement;
import io.bg3.linkbench.measure.Recording;
import io.bg3.linkbench.measure.Results;
import io.bg3.linkbench.model.CountRow;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.model.NodeRow;
import io.bg3.linkbench.workload.LoadPlan;
import io.bg3.linkbench.workload.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Fills a store with nodes and links. One thread adds the nodes, because their ids have to come in
 * order; beside it the loaders add the links, chunk by chunk, the last chunk first.
 */
public final class LoadPhase {
  private final LinkDatabase database;
  private final LoadPlan plan;
  private final int loaders;
  private final PhaseControl control;
  private final AtomicLong links = new AtomicLong();
  private final AtomicLong nodes = new AtomicLong();
  private final AtomicInteger chunksLeft;

  /**
   * The result of a load.
   *
   * @param nodes how many nodes
   * @param links how many links
   * @param seconds how long it took
   * @param results latencies of the batches
   */
  public record Outcome(long nodes, long links, double seconds, Results results) {}

  /**
   * A load of a store.
   *
   * @param control is told of each node that is complete with its links
   */
  public LoadPhase(LinkDatabase database, LoadPlan plan, int loaders, PhaseControl control) {
    this.database = database;
    this.plan = plan;
    this.loaders = loaders;
    this.control = control;
    this.chunksLeft = new AtomicInteger(plan.chunks());
  }

  /**
   * Loads until all is there or it is told to stop.
   *
   * @param withNodes whether to remove the nodes that are there and add those of the plan
   * @throws LinkStoreException if the store fails
   */
  public Outcome run(boolean withNodes) {
    Measurement measurement = new Measurement(System.currentTimeMillis(), database::checkpoints);
    WorkerThreads crew = new WorkerThreads(control);
    if (withNodes) {
      Recording recording = measurement.recording();
      crew.add(() -> loadNodes(recording));
    }
    for (int i = 0; i < loaders; i++) {
      Recording recording = measurement.recording();
      crew.add(() -> loadLinks(recording));
    }
    long begin = System.nanoTime();
    crew.run("load", () -> measurement.tick(System.currentTimeMillis()));
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new Outcome(nodes.get(), links.get(), seconds, measurement.results());
  }

  private void loadNodes(Recording recording) {
    try (LinkSession session = database.session()) {
      session.resetNodes(plan.firstId());
      Batch<NodeRow> batch =
          new Batch<>(
              session.batchSize(),
              rows ->
                  timed(
                      recording,
                      Operation.LOAD_NODE_BULK,
                      () -> check(rows, session.addNodes(rows))));
      plan.nodes(batch);
      batch.flush();
    }
  }

  private void loadLinks(Recording recording) {
    try (LinkSession session = database.session()) {
      int size = session.batchSize();
      Batch<LinkRow> rows =
          new Batch<>(
              size,
              full -> {
                timed(recording, Operation.LOAD_LINKS_BULK, () -> session.addLinks(full));
                links.addAndGet(full.size());
              });
      Batch<CountRow> counts =
          new Batch<>(
              size,
              full -> timed(recording, Operation.LOAD_COUNTS_BULK, () -> session.setCounts(full)));
      int chunk;
      while (!control.isStopped() && (chunk = chunksLeft.decrementAndGet()) >= 0) {
        control.advance(plan.chunk(chunk, rows, counts));
      }
      rows.flush();
      counts.flush();
    }
  }

  private void check(List<NodeRow> rows, long... ids) {
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] != rows.get(i).id()) {
        throw new LinkStoreException(
            "the store gave a node another id than the next: expected="
                + rows.get(i).id()
                + ", id="
                + ids[i]);
      }
    }
    nodes.addAndGet(ids.length);
  }

  private static void timed(Recording recording, Operation operation, Runnable work) {
    long begin = System.nanoTime();
    work.run();
    recording.record(operation, System.nanoTime() - begin);
  }

  /** Gathers rows up to a number and passes them on; once it is stopped it lets them fall. */
  private final class Batch<T> implements Consumer<T> {
    private final int size;
    private final Consumer<List<T>> sink;
    private List<T> rows = new ArrayList<>();

    Batch(int size, Consumer<List<T>> sink) {
      this.size = size;
      this.sink = sink;
    }

    @Override
    public void accept(T row) {
      rows.add(row);
      if (rows.size() >= size) {
        flush();
      }
    }

    void flush() {
      if (!rows.isEmpty() && !control.isStopped()) {
        sink.accept(rows);
      }
      rows = new ArrayList<>(size);
    }
  }
}
