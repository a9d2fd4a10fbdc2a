package io.bg3.server.metrics;

import io.bg3.StoreStats;
import io.bg3.storage.extent.Stream;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
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

  private final Supplier<StoreStats> source;
  private final LongSupplier nanos;
  private StoreStats last;
  private long read;

  /** Registers the metrics of the store that the source describes. */
  public StoreMeters(Supplier<StoreStats> source) {
    this(source, System::nanoTime);
  }

  StoreMeters(Supplier<StoreStats> source, LongSupplier nanos) {
    this.source = source;
    this.nanos = nanos;
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
    gauge("transactions.open", "transactions that hold a snapshot", StoreStats::openTransactions)
        .register(registry);
    counter(registry, "commits", "transactions with writes committed", StoreStats::commits);
    counter(registry, "conflicts", "commits refused by a conflict", StoreStats::conflicts);
    counter(
        registry,
        "commits.delayed",
        "commits that waited because a checkpoint or the emptying of extents was behind",
        StoreStats::delayedCommits);
    counter(
        registry,
        "commits.delay.seconds",
        "total duration of these waits",
        stats -> stats.delayedNanos() / 1e9);
    counter(registry, "checkpoints", "checkpoints taken", StoreStats::checkpoints);
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
    last().streams().keySet().forEach(stream -> bindStream(registry, stream));
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
