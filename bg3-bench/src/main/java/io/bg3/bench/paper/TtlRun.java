package io.bg3.bench.paper;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreStats;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.SeededHash;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.extent.Stream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One run of the experiment behind the right half of the paper's table 2: edges come at a steady
 * rate, and each is gone after its time to live. Either its label says so, or the application
 * removes it. The store is one of the product, with threads and a clock of its own.
 */
public final class TtlRun {
  private static final int EDGES_OF_A_LIST = 12;
  private static final long LISTS = 29;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int TICKS_A_SECOND = 100;
  private static final int TICKS_A_SAMPLE = 10;

  /** Two clocks, of which one counts in milliseconds, differ by less. */
  private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Size size;
  private final Way way;
  private final Order order;

  private int tagLabel;
  private long ticks;

  /** By tick, when its commit began, and when it had ended. */
  private final long[] began;

  private final long[] ended;

  /** A run that has not begun. */
  public TtlRun(Size size, Way way, Order order) {
    this.size = size;
    this.way = way;
    this.order = order;
    this.began = new long[(int) size.ticks()];
    this.ended = new long[(int) size.ticks()];
  }

  /** The side that removes edges whose time is over. */
  public enum Way {
    /** The store: their label has a time to live. */
    TTL,
    /** The application, which removes each edge. */
    DELETES
  }

  /** Whose edges come. */
  public enum Order {
    /** Lists that begin one after the other, as those of sessions or payments do. */
    BY_TIME("new lists"),
    /** Any of the lists that there are. */
    RANDOM("random lists");

    private final String title;

    Order(String title) {
      this.title = title;
    }

    /** Its name in tables. */
    public String title() {
      return title;
    }
  }

  /**
   * The size of an experiment, common to all of its runs.
   *
   * @param ttlSeconds how long an edge lives
   * @param rate edges that come in a second, a multiple of 100
   * @param lives a run goes on for so many times to live, of which the first two are not counted
   */
  public record Size(int ttlSeconds, int rate, int lives, long seed) {
    long ticks() {
      return (long) lives * ttlTicks();
    }

    long ttlTicks() {
      return (long) ttlSeconds * TICKS_A_SECOND;
    }

    int edgesOfATick() {
      return rate / TICKS_A_SECOND;
    }

    @Override
    public String toString() {
      return "ttl="
          + ttlSeconds
          + " s, edges a second="
          + rate
          + ", times to live="
          + lives
          + ", seed="
          + seed;
    }
  }

  /**
   * The counts of a run, from the third time to live on.
   *
   * @param appended bytes of images that were written, copies not among them
   * @param moved bytes of images that were copied
   * @param space bytes of the extents of images for each byte that the edges which are there take
   *     in a store that has been closed and has nothing else, the mean
   * @param mostSpace the largest
   * @param expired extents that went because everything in them had expired, from the start
   */
  public record Counts(long appended, long moved, double space, double mostSpace, long expired) {}

  /**
   * Runs the experiment.
   *
   * @param directory where the store goes; empty
   * @throws IllegalStateException if the store has other edges in the end than it should
   */
  public Counts run(Path directory) throws IOException, InterruptedException {
    double compact = compactBytes(directory.resolve("compact"));
    try (Bg3 store = Bg3.open(settings(directory.resolve("store")))) {
      EdgeLabelForm form = EdgeLabelForm.plain();
      long millis = TimeUnit.SECONDS.toMillis(size.ttlSeconds);
      declare(store, way == Way.TTL ? form.withTtl(millis) : form.asLoose());
      return run(store, compact);
    }
  }

  private void declare(Bg3 store, EdgeLabelForm form) {
    int code = store.graph().declareEdgeLabel("passes", form).code();
    tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, code);
  }

  /** Bytes of the images of the edges of one time to live, which are there all at once. */
  private double compactBytes(Path directory) throws IOException {
    Settings settings = settings(directory);
    try (Bg3 store = Bg3.open(settings)) {
      declare(store, EdgeLabelForm.plain().asLoose());
      for (ticks = 0; ticks < size.ttlTicks(); ticks++) {
        tick(store);
      }
    }
    try (Bg3 store = Bg3.open(settings.with(Setting.READ_ONLY, "true"))) {
      return Images.of(store.stats()).live;
    }
  }

  private static Settings settings(Path directory) {
    return Settings.defaults()
        .with(Setting.DIRECTORY, directory.toString())
        .with(Setting.DURABILITY, "none")
        .with(Setting.MEMORY_BUDGET, "512m")
        .with(Setting.EXTENT_SIZE, "256k")
        .with(Setting.LOG_LIMIT, "2m");
  }

  private Counts run(Bg3 store, double compact) throws InterruptedException {
    long first = 2 * size.ttlTicks();
    long begin = System.nanoTime();
    long appended = 0;
    long moved = 0;
    double sum = 0;
    double most = 0;
    int samples = 0;
    for (ticks = 0; ticks < size.ticks(); ticks++) {
      began[(int) ticks] = System.nanoTime();
      tick(store);
      ended[(int) ticks] = System.nanoTime();
      pause(begin + (ticks + 1) * TICK_NANOS);
      if (ticks >= first && ticks % TICKS_A_SAMPLE == 0) {
        Images images = Images.of(store.stats());
        if (samples == 0) {
          appended = images.appended;
          moved = images.moved;
        }
        sum += images.written / compact;
        most = Math.max(most, images.written / compact);
        samples++;
      }
    }
    StoreStats end = store.stats();
    requireEdges(store);
    Images images = Images.of(end);
    return new Counts(
        images.appended - appended,
        images.moved - moved,
        sum / samples,
        most,
        end.families().stream().mapToLong(family -> family.expired()).sum());
  }

  /** Bytes of the streams of images. */
  private record Images(long written, long live, long appended, long moved) {
    static Images of(StoreStats stats) {
      return stats.streams().entrySet().stream()
          .filter(each -> each.getKey() == Stream.BASE || each.getKey() == Stream.DELTA)
          .map(Map.Entry::getValue)
          .map(bytes -> new Images(bytes.written(), bytes.live(), bytes.stored(), bytes.moved()))
          .reduce(new Images(0, 0, 0, 0), Images::plus);
    }

    private Images plus(Images other) {
      return new Images(
          written + other.written,
          live + other.live,
          appended + other.appended,
          moved + other.moved);
    }
  }

  /** Adds the edges of one tick, and removes those whose time is over. */
  private void tick(Bg3 store) {
    try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, false)) {
      byte[] longest = new byte[EdgeValue.LONGEST];
      for (long edge = first(ticks); edge < first(ticks + 1); edge++) {
        int length = EdgeValue.fill(list(edge), edge, 0, longest);
        transaction.putEdge(list(edge), tagLabel, edge, 0, Arrays.copyOf(longest, length));
      }
      long over = ticks - size.ttlTicks();
      if (way == Way.DELETES && over >= 0) {
        for (long edge = first(over); edge < first(over + 1); edge++) {
          transaction.deleteEdge(list(edge), tagLabel, edge, 0);
        }
      }
      transaction.commit();
    }
  }

  /** The first edge of a tick. */
  private long first(long tick) {
    return tick * size.edgesOfATick();
  }

  private long list(long edge) {
    if (order == Order.BY_TIME) {
      return 1 + edge / EDGES_OF_A_LIST;
    }
    long lists = Math.max(1, size.ttlTicks() * size.edgesOfATick() / EDGES_OF_A_LIST);
    return 1 + SeededHash.below(SeededHash.of(SeededHash.of(size.seed, LISTS), edge), lists);
  }

  private static void pause(long until) throws InterruptedException {
    for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("the run was ended");
      }
    }
  }

  /** The edges of the last time to live are there, and no others. */
  private void requireEdges(Bg3 store) {
    long found = 0;
    long oldest = Long.MAX_VALUE;
    long before = System.nanoTime();
    long after;
    try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, true);
        EdgeCursor edges = transaction.allEdges(EdgeKey.OUT, null, false)) {
      after = System.nanoTime();
      while (edges.next()) {
        found++;
        oldest = Math.min(oldest, edges.other());
      }
    }
    long last = first(ticks);
    long tick = found == 0 ? ticks : oldest / size.edgesOfATick();
    if (found != last - first(tick) || !isFirst(tick, before, after)) {
      throw new IllegalStateException(
          "the store has other edges than it should: found="
              + found
              + ", oldest="
              + oldest
              + ", last="
              + last);
    }
  }

  /**
   * Whether the edges of a tick are the first that are there, for a snapshot that was taken between
   * two times.
   */
  private boolean isFirst(long tick, long before, long after) {
    if (way == Way.DELETES) {
      return tick == ticks - size.ttlTicks();
    }
    long ttl = TimeUnit.SECONDS.toNanos(size.ttlSeconds);
    return after - began[(int) tick - 1] >= ttl - SLACK_NANOS
        && (tick == ticks || before - ended[(int) tick] <= ttl + SLACK_NANOS);
  }
}
