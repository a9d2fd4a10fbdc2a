package io.bg3.server.request;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.ThreadMXBean;
import io.bg3.server.dispatch.EndReason;
import io.bg3.server.dispatch.RunningRequest;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the query that fills the heap, before the heap is full: a virtual machine that runs out of
 * it takes every client's queries with it.
 *
 * <p>After each garbage collection the heap that is left in use is looked at. If it is above the
 * limit, the query that has allocated most since it began is interrupted, as one over its time is.
 * The virtual machine counts what a thread has allocated, which is more than what it holds; so a
 * query is let alone that has not allocated an eighth of the heap.
 *
 * <p>Threads: any.
 */
public final class HeapWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeapWatch.class);

  /** A query has a part in a full heap if it has allocated this part of it. */
  private static final int LEAST_PART = 8;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Map<Thread, Begun> begun = new ConcurrentHashMap<>();
  private final NotificationListener listener = (notification, unused) -> collected(notification);
  private final Set<String> pools = new HashSet<>();
  private final long limit;
  private final long least;

  /**
   * Begins to watch.
   *
   * @param percent of the largest heap, above which a query is ended
   */
  public HeapWatch(int percent) {
    long most = Runtime.getRuntime().maxMemory();
    limit = most / 100 * percent;
    least = most / LEAST_PART;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        pools.add(pool.getName());
      }
    }
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
    }
  }

  /**
   * A query of a thread.
   *
   * @param allocated bytes that the thread had allocated when the query began
   * @param running the request, empty in a session
   */
  private record Begun(long allocated, Optional<RunningRequest> running) {
    /** Ends the query; false if it has ended. */
    boolean end(Thread thread) {
      if (running.isPresent()) {
        return running.get().tell(EndReason.HEAP);
      }
      thread.interrupt();
      return true;
    }
  }

  /** Says that the calling thread begins a query. */
  void begin() {
    Thread thread = Thread.currentThread();
    Begun query = new Begun(threads.getCurrentThreadAllocatedBytes(), RunningRequest.current());
    if (begun.put(thread, query) == null) {
      begun.keySet().removeIf(other -> !other.isAlive());
    }
  }

  private void collected(Notification notification) {
    var data = (CompositeData) notification.getUserData();
    Map<String, MemoryUsage> left =
        GarbageCollectionNotificationInfo.from(data).getGcInfo().getMemoryUsageAfterGc();
    long used = pools.stream().mapToLong(pool -> left.get(pool).getUsed()).sum();
    if (used > limit) {
      endLargest(used);
    }
  }

  private void endLargest(long used) {
    while (true) {
      Thread largest = null;
      long most = least;
      for (Map.Entry<Thread, Begun> query : begun.entrySet()) {
        long now = threads.getThreadAllocatedBytes(query.getKey().getId()); // -1 if it has ended
        if (now - query.getValue().allocated() > most) {
          most = now - query.getValue().allocated();
          largest = query.getKey();
        }
      }
      if (largest == null) {
        return;
      }
      Begun query = begun.remove(largest);
      if (query != null && query.end(largest)) {
        LOG.warn(
            "the heap is nearly full; the query that has allocated most was ended: used={},"
                + " limit={}, allocated={}, thread={}",
            used,
            limit,
            most,
            largest.getName());
        return;
      }
    }
  }

  /** Ends the watch. Does nothing when it has ended. */
  @Override
  public void close() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      try {
        ((NotificationEmitter) collector).removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        return; // closed before
      }
    }
  }
}
