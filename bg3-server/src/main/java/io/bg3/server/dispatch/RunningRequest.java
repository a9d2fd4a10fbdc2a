package io.bg3.server.dispatch;

import com.sun.management.ThreadMXBean;
import io.bg3.core.commit.CommitListener;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.tree.ReadCounts;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A request that a worker thread or an event loop runs: how long it may, what its thread has used
 * for it, and what is kept for later work on it.
 *
 * <p>Threads: any. The scheduler's lock guards the fields under "scheduler".
 */
public final class RunningRequest extends DecidedRequest {
  /** Which of the server's threads the request has. */
  enum Place {
    /** One of those that begin requests. */
    SHORT,
    /** One of those for requests that take long. */
    LONG,
    /** One of those for requests whose commits wait for the disk. */
    COMMIT,
    /** One that should have ended: its place was given to another request. */
    LENT,
    /** That of a session, while the request takes no other place. */
    OWN
  }

  private static final ThreadLocal<RunningRequest> CURRENT = new ThreadLocal<>();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  // Scheduler.
  final Client client;
  final ScheduledRequest work;
  Place place = Place.SHORT;
  boolean hasOwnThread; // a session's
  boolean isStuck;
  boolean isAbandoned;
  boolean isPrepared; // and the queue knows it
  long charged; // until when
  long processor = -1; // what the thread had used when the scheduler first looked
  long toldAt; // 0 if it was not told to end
  long overdueSince; // 0 if it does not have to end
  long overdueProcessor; // what the thread had used then
  long lastInterrupt;

  private volatile boolean hasLowPriority;
  private volatile boolean isDecoded; // its worker says so, before the queue knows
  private volatile boolean breaksOff;
  private final long begun;
  private final boolean isQuick;
  private volatile long deadline;
  private volatile long limitMillis;
  private volatile EndReason expected = EndReason.TIME;
  private Throwable failure;
  private volatile long allocatedBefore = -1; // bytes of the thread when the request began
  private final Deque<Runnable> next = new ArrayDeque<>(); // of the request's thread
  private ReadCounts readBefore = ReadCounts.NONE; // of the request's thread, when it began
  private long processorBefore; // nanoseconds of the request's thread, when it began
  private boolean hasLargeResults; // of the request's thread
  private boolean isLeft; // of the request's thread
  private Object kept; // of the request's thread
  private Object plan; // of the request's thread
  private final Function<RunningRequest, LateAnswer> lateAnswers; // null but for quick ones
  private LateAnswer late; // of the event loop; null if it does not commit without waiting
  private volatile Used used; // null unless it has run and is answered later

  /** What a request's thread has used for it. */
  private record Used(long processorNanos, OptionalLong allocatedBytes, ReadCounts read) {}

  RunningRequest(Client client, ScheduledRequest work, long begun, long limitMillis) {
    this(client, work, begun, limitMillis, null);
  }

  private RunningRequest(
      Client client,
      ScheduledRequest work,
      long begun,
      long limitMillis,
      Function<RunningRequest, LateAnswer> lateAnswers) {
    this.client = client;
    this.work = work;
    this.begun = begun;
    this.charged = begun;
    this.isQuick = lateAnswers != null;
    this.lateAnswers = lateAnswers;
    limit(limitMillis);
  }

  /**
   * A request that an event loop runs ({@link QuickRuns}).
   *
   * @param late makes its answer if its commit does not wait for the disk
   */
  static RunningRequest quick(
      Client client,
      ScheduledRequest work,
      long begun,
      long limitMillis,
      Function<RunningRequest, LateAnswer> late) {
    RunningRequest quick = new RunningRequest(client, work, begun, limitMillis, late);
    quick.place = Place.OWN;
    quick.isPrepared = true;
    return quick;
  }

  /** The request that the calling thread runs; empty in other threads than workers. */
  public static Optional<RunningRequest> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /**
   * Whether an event loop runs the request. It is answered only if it commits, by one message;
   * otherwise a worker runs it again, and nothing is said of this time.
   */
  public boolean isQuick() {
    return isQuick;
  }

  /** The request as the scheduler was given it. */
  public ScheduledRequest scheduled() {
    return work;
  }

  /**
   * Has the commit that an event loop is about to make not wait for the disk. Called by its thread.
   *
   * @return to be told when the commit is durable; empty in other threads than event loops
   */
  public Optional<CommitListener> commitsWithoutWaiting() {
    if (!isQuick) {
      return Optional.empty();
    }
    late = lateAnswers.apply(this);
    return Optional.of(late);
  }

  /**
   * Whether the request has committed and its event loop answers it when the commit is durable.
   * Called by the loop.
   */
  public boolean isAnsweredLater() {
    return late != null && late.isWaiting();
  }

  /** Has this run before the request is answered, which is later. Called by its thread. */
  public void beforeLateAnswer(Consumer<Optional<OutcomeUnknownException>> task) {
    late.before(task);
  }

  /** Sets how long the request may take, from its beginning; its owner's limit may be shorter. */
  public void limit(long millis) {
    limitMillis = client.owner.limits.millis(millis);
    deadline = begun + TimeUnit.MILLISECONDS.toNanos(limitMillis);
  }

  /** How long the request may take. */
  public long limitMillis() {
    return limitMillis;
  }

  /** When the request has to have ended, of the scheduler's clock. */
  long deadline() {
    return deadline;
  }

  long begun() {
    return begun;
  }

  /** Gives the request's thread the lowest priority, for good. The scheduler's lock is held. */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but the share of the processors
  void lowerPriority() {
    if (!hasLowPriority) {
      hasLowPriority = true;
      thread().setPriority(Thread.MIN_PRIORITY);
    }
  }

  /** Whether the request's thread has the lowest priority. */
  boolean hasLowPriority() {
    return hasLowPriority;
  }

  /** Called by the request's thread when other requests of its connection may begin. */
  void decoded() {
    isDecoded = true;
  }

  boolean isDecoded() {
    return isDecoded;
  }

  /**
   * Called by the request's thread, before other requests of its connection may begin: none of them
   * does, because they depend on this one, which is refused.
   */
  public void breakOff() {
    breaksOff = true;
  }

  boolean breaksOff() {
    return breaksOff;
  }

  /** Has a task run by this request's thread, after what it does now. */
  void next(Runnable task) {
    next.add(task);
  }

  /** Runs the request in the calling thread, to its end. */
  void run(Runnable whenPrepared) {
    beginMeasured();
    try {
      work.run(this);
      whenPrepared.run();
      for (Runnable task = next.poll(); task != null; task = next.poll()) {
        task.run();
      }
    } finally {
      try {
        work.ended(this);
        if (isAnsweredLater()) {
          used = new Used(processorNanos(), allocatedBytes(), read());
        }
      } finally {
        CURRENT.remove();
        end();
      }
    }
  }

  /** Says that the calling thread, which is no worker, runs the request. */
  void enter() {
    place = Place.OWN;
    hasOwnThread = true;
    isPrepared = true;
    beginMeasured();
  }

  /** Says that the calling thread does not run the request any more. */
  void leave() {
    CURRENT.remove();
    end();
  }

  private void beginMeasured() {
    CURRENT.set(this);
    allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    readBefore = ReadCounts.ofThread();
    processorBefore = THREADS.getCurrentThreadCpuTime();
    begin();
  }

  /** Leaves a request to a worker that an event loop runs. Called by its thread. */
  public void leaveToWorker() {
    isLeft |= tell(EndReason.MOMENT);
  }

  /**
   * Called by the request's thread in place of {@link #endsCommit}, after a commit that has failed
   * and of which nothing has happened. An event loop leaves the request to a worker.
   */
  public void endsWithoutCommit() {
    if (isQuick) {
      givesUpCommit();
      leaveToWorker();
    } else {
      endsCommit();
    }
  }

  /**
   * Whether {@link #leaveToWorker} has ended the request, and nothing else before. Called by its
   * thread.
   */
  public boolean isLeftToWorker() {
    return isLeft;
  }

  /** Notes why the request is interrupted if it is by others than {@link #tell}. */
  void expect(EndReason why) {
    expected = why;
  }

  /** Why the request was told to end, or else why it was interrupted, as far as is known. */
  public EndReason reason() {
    return ending().orElse(expected);
  }

  /** Keeps an object for later work on the request, in place of another. Called by its thread. */
  public void keep(Object object) {
    kept = object;
  }

  /** Gives back what was kept, once; null if there is nothing. Called by the request's thread. */
  public Object takeKept() {
    Object taken = kept;
    kept = null;
    return taken;
  }

  /** Notes what the request executes, for a log. Called by its thread. */
  public void setPlan(Object executed) {
    plan = executed;
  }

  /** What {@link #setPlan} was given last; null if there is nothing. Called by its thread. */
  public Object plan() {
    return plan;
  }

  /** How long ago the request began, in nanoseconds. */
  public long elapsedNanos() {
    return System.nanoTime() - begun;
  }

  /** Time that its thread has had a processor for the request. Called by its thread. */
  public long processorNanos() {
    return used == null
        ? THREADS.getCurrentThreadCpuTime() - processorBefore
        : used.processorNanos();
  }

  /** Notes that results of the request are too large for one message. Called by its thread. */
  public void setLargeResults() {
    hasLargeResults = true;
  }

  /** Whether results of the request may be too large for one message. Called by its thread. */
  public boolean hasLargeResults() {
    return hasLargeResults;
  }

  /** The user of the request, or its address where there are no users. */
  public String owner() {
    return client.owner.name;
  }

  /**
   * Bytes that the request's thread has allocated on the heap for it, those that are garbage by now
   * included; empty if it has not begun, has ended, or the virtual machine does not count them.
   */
  public OptionalLong allocatedBytes() {
    Used all = used;
    if (all != null) {
      return all.allocatedBytes();
    }
    Thread runs = thread();
    long before = allocatedBefore;
    if (runs == null || before < 0 || hasEnded()) {
      return OptionalLong.empty();
    }
    long now = THREADS.getThreadAllocatedBytes(runs.getId());
    return now < before ? OptionalLong.empty() : OptionalLong.of(now - before);
  }

  /** What the request has read of the store so far. Called by its thread. */
  public ReadCounts read() {
    return used == null ? ReadCounts.ofThread().since(readBefore) : used.read();
  }

  /** Notes why the request failed. Called by its thread. */
  public void failed(Throwable cause) {
    failure = cause;
  }

  /** Why the request failed, as far as is known. Called by its thread. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }
}
