package io.bg3.server.metrics;

import io.bg3.FamilyUse;
import io.bg3.StoreStats;
import io.bg3.StoreStats.Delays;
import io.bg3.storage.extent.Stream;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of a store. One call of the source returns all of them. It is called at most ten
 * times a second, because an export reads each metric by itself.
 *
 * <p>Threads: any.
 */
public final class StoreMeters implements MeterBinder {
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final String BYTES = "bytes";

  private static final String GRAPH = "graph";

  private final String graph;
  private final Supplier<StoreStats> source;
  private final LongSupplier nanos;
  private StoreStats last;
  private long read;

  /**
   * The metrics of the store that the source describes.
   *
   * @param graph the name of its graph, which is a tag of each
   */
  public StoreMeters(String graph, Supplier<StoreStats> source) {
    this(graph, source, System::nanoTime);
  }

  StoreMeters(String graph, Supplier<StoreStats> source, LongSupplier nanos) {
    this.graph = graph;
    this.source = source;
    this.nanos = nanos;
  }

  /** Shows the metrics of a graph no more. */
  public static void remove(MeterRegistry registry, String graph) {
    for (Meter meter : registry.getMeters()) {
      if (graph.equals(meter.getId().getTag(GRAPH))) {
        registry.remove(meter);
      }
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    bytes(registry, "memory.budget", "memory budget of the store", StoreStats::budgetBytes);
    bytes(registry, "memory.used", "memory in use of the budget", StoreStats::usedBytes);
    bytes(
        registry,
        "memory.held",
        "memory that is taken of the machine for the budget, free memory in it included",
        StoreStats::heldBytes);
    bytes(registry, "memory.pages", "memory in use by pages", StoreStats::blockBytes);
    bytes(
        registry,
        "memory.values",
        "memory in use by large values",
        stats -> stats.largeValues().bytes());
    counter(
        registry,
        "values.hits",
        "reads of large values that were in memory",
        stats -> stats.largeValues().hits());
    counter(
        registry,
        "values.reads",
        "reads of large values from their extents",
        stats -> stats.largeValues().reads());
    bytes(
        registry,
        "memory.dirty",
        "memory of pages that differ from what is stored, about",
        StoreStats::dirtyBytes);
    bytes(
        registry,
        "memory.retired",
        "replaced pages that readers may still use",
        StoreStats::retiredBytes);
    counter(
        registry,
        "memory.moves",
        "times that a leaf was moved in memory, so that no more is held than the budget has",
        StoreStats::movedPages);
    bytes(registry, "log", "the log's files", StoreStats::logBytes);
    gauge("pages", "page ids in use", StoreStats::pages).register(registry);
    gauge(
            "trees.dedicated",
            "vertices with a tree of their own",
            stats -> stats.trees().dedicated())
        .register(registry);
    counter(
        registry,
        "trees.latch.waits",
        "times that a thread has waited for the latch of a page",
        stats -> stats.trees().latchWaits());
    counter(
        registry,
        "trees.structure.waits",
        "times that a thread has waited for the lock under which a tree changes its shape",
        stats -> stats.trees().structureWaits());
    gauge("transactions.open", "transactions that hold a snapshot", StoreStats::openTransactions)
        .register(registry);
    counter(registry, "commits", "transactions with writes committed", StoreStats::commits);
    counter(registry, "conflicts", "commits refused by a conflict", StoreStats::conflicts);
    counter(
        registry,
        "commits.delayed",
        "commits that waited because flushes, a checkpoint or the emptying of extents were behind",
        stats -> stats.delays().commits());
    delay(registry, "log", Delays::logNanos);
    delay(registry, "dirty", Delays::dirtyNanos);
    delay(registry, "values", Delays::valueNanos);
    gauge(
            "commits.delay.longest.seconds",
            "longest wait of one commit since the store was opened",
            stats -> stats.delays().longestNanos() / 1e9)
        .register(registry);
    counter(registry, "checkpoints", "checkpoints taken", StoreStats::checkpoints);
    gauge(
            "checkpoint.running",
            "1 while a checkpoint is under way",
            stats -> stats.checkpointRuns() ? 1 : 0)
        .register(registry);
    gauge(
            "space.amplification",
            "bytes of the extents of pages and large values for each live byte in them",
            StoreStats::spaceAmplification)
        .register(registry);
    gauge(
            "write.amplification",
            "bytes written to extents and log for each byte of a log record",
            StoreStats::writeAmplification)
        .register(registry);
    counter(
        registry,
        "reclaim.rounds",
        "times that images were copied out of extents with garbage",
        StoreStats::reclaimRounds);
    counter(
        registry,
        "reclaim.rounds.vain",
        "times that this has freed nothing",
        StoreStats::vainReclaimRounds);
    gauge(
            "extents.unreadable",
            "extents that stay because an image in them cannot be read",
            StoreStats::unreadableExtents)
        .register(registry);
    bytes(
        registry,
        "families.written",
        "bytes in extent files of families of edge labels",
        stats -> stats.families().stream().mapToLong(FamilyUse::written).sum());
    bytes(
        registry,
        "families.live",
        "live bytes in extent files of families of edge labels",
        stats -> stats.families().stream().mapToLong(FamilyUse::live).sum());
    counter(
        registry,
        "families.expired",
        "extent files that went because everything in them had expired",
        stats -> stats.families().stream().mapToLong(FamilyUse::expired).sum());
    counter(
            "families.moved",
            "bytes of families of edge labels that were copied out of extents with garbage",
            stats -> stats.families().stream().mapToLong(FamilyUse::moved).sum())
        .baseUnit(BYTES)
        .register(registry);
    counter(
            "families.rewritten",
            "bytes of leaves that were written again because a part of them was in an extent that"
                + " had expired",
            StoreStats::rewrittenForExpiry)
        .baseUnit(BYTES)
        .register(registry);
    last().streams().keySet().forEach(stream -> bindStream(registry, stream));
  }

  private void delay(MeterRegistry registry, String reason, ToDoubleFunction<Delays> nanos) {
    counter(
            "commits.delay.seconds",
            "total duration of these waits, by what was behind",
            stats -> nanos.applyAsDouble(stats.delays()) / 1e9)
        .tag("reason", reason)
        .register(registry);
  }

  private void bindStream(MeterRegistry registry, Stream stream) {
    String name = stream.name().toLowerCase(Locale.ROOT);
    gauge("extents", "extent files", stats -> stats.streams().get(stream).extents())
        .tag("stream", name)
        .register(registry);
    gauge(
            "extents.written",
            "bytes in extent files",
            stats -> stats.streams().get(stream).written())
        .tag("stream", name)
        .baseUnit(BYTES)
        .register(registry);
    gauge("extents.live", "live bytes in extent files", stats -> stats.streams().get(stream).live())
        .tag("stream", name)
        .baseUnit(BYTES)
        .register(registry);
    gauge(
            "extents.amplification",
            "bytes in extent files for each live byte",
            stats -> stats.streams().get(stream).amplification())
        .tag("stream", name)
        .register(registry);
    for (int tenth = 0; tenth < StoreStats.StreamBytes.TENTHS; tenth++) {
      int at = tenth;
      gauge(
              "extents.garbage",
              "extent files by their share of garbage",
              stats -> stats.streams().get(stream).byGarbage().get(at))
          .tag("stream", name)
          .tag("percent", percent(at))
          .register(registry);
      gauge(
              "extents.gradient",
              "extent files by their share of garbage gained lately",
              stats -> stats.streams().get(stream).byGradient().get(at))
          .tag("stream", name)
          .tag("percent", percent(at))
          .register(registry);
    }
    for (StoreStats.StreamBytes.Age age : StoreStats.StreamBytes.Age.values()) {
      gauge(
              "extents.age",
              "extent files by the time since their newest record",
              stats -> stats.streams().get(stream).byAge().get(age))
          .tag("stream", name)
          .tag("below", age.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    counter(
            "reclaim.moved",
            "bytes that were copied out of extents with garbage",
            stats -> stats.streams().get(stream).moved())
        .tag("stream", name)
        .baseUnit(BYTES)
        .register(registry);
    counter(
            "compression.plain",
            "bytes that were written, before compression",
            stats -> stats.streams().get(stream).plain())
        .tag("stream", name)
        .baseUnit(BYTES)
        .register(registry);
    counter(
            "compression.stored",
            "bytes that were written, after compression",
            stats -> stats.streams().get(stream).stored())
        .tag("stream", name)
        .baseUnit(BYTES)
        .register(registry);
  }

  private static String percent(int tenth) {
    return 10 * tenth + "-" + 10 * (tenth + 1);
  }

  private void bytes(
      MeterRegistry registry, String name, String text, ToDoubleFunction<StoreStats> figure) {
    gauge(name, text, figure).baseUnit(BYTES).register(registry);
  }

  private Gauge.Builder<StoreMeters> gauge(
      String name, String text, ToDoubleFunction<StoreStats> figure) {
    return Gauge.builder("bg3.store." + name, this, self -> figure.applyAsDouble(self.last()))
        .strongReference(true)
        .tag(GRAPH, graph)
        .description(text);
  }

  private void counter(
      MeterRegistry registry, String name, String text, ToDoubleFunction<StoreStats> figure) {
    counter(name, text, figure).register(registry);
  }

  private FunctionCounter.Builder<StoreMeters> counter(
      String name, String text, ToDoubleFunction<StoreStats> figure) {
    return FunctionCounter.builder(
            "bg3.store." + name, this, self -> figure.applyAsDouble(self.last()))
        .tag(GRAPH, graph)
        .description(text);
  }

  private synchronized StoreStats last() {
    long now = nanos.getAsLong();
    if (last == null || now - read >= FRESH_NANOS) {
      last = source.get();
      read = now;
    }
    return last;
  }
}
