package io.bg3.core.commit;

import io.bg3.core.thread.StoreThread;
import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The thread that writes the log where nobody waits for it. With {@link Durability#ASYNC} and
 * {@link Durability#NONE} that is always: it gathers for a moment, writes, and syncs at the
 * interval or never. With {@link Durability#SYNC} the waiting threads do it themselves, see {@link
 * GroupSync}. To it are left the commits of threads that do not wait, for which it is asked to sync
 * at once unless they do it themselves, and what nobody needs, as a code made for a transaction
 * that then ended.
 */
public final class LogWriter implements AutoCloseable {
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final WriteAheadLog log;
  private final Optional<GroupSync> group;
  private final Durability durability;
  private final long intervalNanos;
  private final Visibility visibility;
  private final Consumer<Throwable> onFailure;
  private final StoreThread thread = new StoreThread("bg3-log", this::run);

  /**
   * @param group asks for syncs; empty if the durability is not {@link Durability#SYNC}
   * @param onFailure told the first failure, after which the thread ends
   */
  public LogWriter(
      WriteAheadLog log,
      Optional<GroupSync> group,
      Durability durability,
      long intervalMillis,
      Visibility visibility,
      Consumer<Throwable> onFailure) {
    this.log = log;
    this.group = group;
    this.durability = durability;
    this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    this.visibility = visibility;
    this.onFailure = onFailure;
  }

  /** Starts the thread; once. */
  public void start() {
    thread.start();
  }

  /**
   * Makes durable all that was appended before the call, in every durability. Any thread.
   *
   * @return the position up to which the log is durable
   * @throws StoreFailedException if it fails or has failed
   */
  public long sync() {
    try {
      long durable = log.write(true);
      visibility.advance();
      return durable;
    } catch (IOException | RuntimeException | Error e) {
      onFailure.accept(e);
      throw new StoreFailedException(e);
    }
  }

  /**
   * Hands to the operating system all that was appended before the call, without a sync. Any
   * thread.
   *
   * @throws StoreFailedException if it fails or has failed
   */
  public void write() {
    try {
      log.writeTo(log.end());
    } catch (IOException | RuntimeException | Error e) {
      onFailure.accept(e);
      throw new StoreFailedException(e);
    }
  }

  private void run() {
    try {
      long synced = System.nanoTime();
      while (!thread.isEnding()) {
        if (group.isPresent()) {
          long appended = log.end();
          boolean isAsked = group.get().awaitRequest(IDLE_NANOS);
          group.get().write(isAsked ? log.end() : appended);
          visibility.advance();
          continue;
        }
        boolean work = log.awaitWork(IDLE_NANOS);
        if (log.failure() != null) {
          onFailure.accept(log.failure());
          return;
        }
        LockSupport.parkNanos(this, Math.min(GATHER_NANOS, intervalNanos));
        boolean due = durability == Durability.ASYNC && System.nanoTime() - synced >= intervalNanos;
        if (work || due) {
          log.write(due);
        }
        if (due) {
          synced = System.nanoTime();
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      onFailure.accept(e);
    }
  }

  /** Ends the thread, after it has finished the write it is in. */
  @Override
  public void close() {
    thread.close();
  }
}
