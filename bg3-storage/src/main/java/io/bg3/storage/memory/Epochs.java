package io.bg3.storage.memory;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Says when memory that readers could reach may be used again.
 *
 * <p>A reader enters, loads shared pointers, uses what they lead to and leaves; it takes no lock
 * and writes nothing that another reader writes. A writer unlinks a block, so that no shared
 * pointer leads to it any more, and retires it. The block is freed when all threads that could have
 * loaded the old pointer have left.
 *
 * <p><b>Why that is enough.</b> {@code epoch} only grows.
 *
 * <pre>
 *  reader                                writer                               reclaimer
 *  R1  e = epoch                         W1  pointer = new block              C1  now = ++epoch
 *  R2  slot = e                          W2  full fence                       C2  full fence
 *  R3  full fence                        W3  tag = epoch, list the old block  C3  safe = min(now, all slots)
 *  R4  block = pointer, use it                                                C4  free what has tag &lt; safe
 *  R5  slot = outside (release)
 * </pre>
 *
 * <ul>
 *   <li>P1: if R4 loads the old block, R3 comes before W2 in the order of the fences, for else R4
 *       would see W1.
 *   <li>P2: C4 frees the block only if tag &lt; now. Either W3 came before C1 and did not see it,
 *       then W2 comes before C2; or C got the block from the list, whose guard orders W2 before a
 *       C1 that follows.
 *   <li>P3: hence R3 comes before C2 and C3 sees R2, or what the reader wrote into its slot later.
 *       If that is e, then e &gt;= safe &gt; tag would have to hold: but had R1 read an epoch above
 *       the tag, W3 would have come before the step that made it, hence W2 before R3, against P1.
 *       If it is something later, the reader has passed R5, and the acquire in C3 orders all its
 *       uses of the block before C4.
 *   <li>P4: {@code safe} stays true for blocks that are listed after C3: W3 gave them a tag below
 *       {@code now} only if it did not see C1, and P2 holds again.
 * </ul>
 *
 * <p>A reader that stalls inside keeps {@code safe} down and so delays freeing, nothing else;
 * {@link #pending} shows by how much. A thread that dies gives its slot back when another one
 * registers or reclaims; what it had retired is freed by those.
 *
 * <p>Threads: any. {@code epoch} and {@code safe} by atomic operations; {@code slots} and {@code
 * orphans} are replaced under {@code this} and read without; a slot is written by its thread only;
 * a retire list is guarded by itself.
 */
public class Epochs implements AutoCloseable {
  private static final int SPINS = 200;
  private static final long PAUSE_NANOS = 20_000;

  private final AtomicLong epoch = new AtomicLong(1);
  private final AtomicLong safe = new AtomicLong();

  /**
   * A store's own: a slot refers to nothing of the store but what is retired, so it goes when the
   * store does.
   */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<EpochSlot> mine = new ThreadLocal<>();

  private volatile EpochSlot[] slots = {};

  /** Lists of threads that died. */
  private volatile RetireList[] orphans = {};

  private volatile boolean closed;

  /** Epochs that are asked to {@link #reclaim} before this budget refuses a request. */
  public static Epochs relieving(MemoryBudget budget) {
    Epochs epochs = new Epochs();
    budget.addRelief(bytes -> epochs.reclaim());
    return epochs;
  }

  /**
   * Enters an epoch: what this thread reads from shared pointers from now on stays valid until it
   * leaves. May be nested.
   *
   * @return a ticket for {@link #exit}, to be given back by the same thread
   * @throws IllegalStateException if the epochs are closed: what could be read may be gone
   */
  public int enter() {
    EpochSlot slot = slot();
    if (slot.depth++ == 0) {
      announce(slot, epoch.get());
      if (closed) { // read behind R3, so that this sees it or close() sees R2
        exit(slot.index);
        throw new IllegalStateException("the store is closed");
      }
    }
    return slot.index;
  }

  /** R2 and R3. Overridden by the broken twins in the tests and by nobody else. */
  void announce(EpochSlot slot, long now) {
    slot.putEnteredOpaque(now);
    VarHandle.fullFence();
  }

  /**
   * Leaves the epoch. No address read inside may be used any more (unless an outer one is still
   * open).
   */
  public void exit(int ticket) {
    EpochSlot slot = slots[ticket];
    assert slot.owner == Thread.currentThread() : "ticket of another thread: ticket=" + ticket;
    assert slot.depth > 0 : "left more often than entered: ticket=" + ticket;
    if (--slot.depth == 0) {
      slot.putEnteredRelease(EpochSlot.OUTSIDE);
    }
  }

  /** Whether the calling thread is inside an epoch; for assertions before I/O and waiting. */
  public boolean inside() {
    EpochSlot slot = mine.get();
    return slot != null && slot.depth > 0;
  }

  /**
   * Frees the block when all readers that are now inside have left. No shared pointer may lead to
   * it any more.
   */
  public void retire(long address, BlockMemory memory) {
    retire(address, memory, memory.capacity(address));
  }

  /**
   * Runs the action when all readers that are now inside have left; on any thread that retires or
   * reclaims.
   */
  public void retire(Runnable action) {
    retire(0, action, 0);
  }

  private void retire(long address, Object target, int bytes) {
    RetireList list = slot().retired;
    boolean gathered;
    VarHandle.fullFence(); // W2
    synchronized (list) {
      gathered = list.add(epoch.get(), address, target, bytes);
    }
    if (gathered) {
      advance();
      reclaim(list);
      for (RetireList orphan : orphans) {
        reclaim(orphan);
      }
    }
  }

  /** Frees what can be freed now, of all threads. Never waits for a reader. */
  public void reclaim() {
    advance();
    reclaimAll();
  }

  /**
   * Waits until all readers that were inside when it was called have left. The caller itself must
   * not be inside. An interrupt does not end the wait.
   *
   * @throws IllegalStateException if the caller is inside
   */
  public void awaitQuiescence() {
    if (inside()) {
      throw new IllegalStateException(
          "awaits quiescence inside an epoch: depth=" + mine.get().depth);
    }
    long now = epoch.incrementAndGet();
    VarHandle.fullFence();
    for (EpochSlot slot : slots) {
      for (int spins = 0;
          slot != null && slot.getEnteredAcquire() < now && !slot.isDead();
          spins++) {
        pause(spins);
      }
    }
    raiseSafe(now);
  }

  /** Bytes of blocks that are retired and not yet freed. */
  public long pending() {
    long bytes = 0;
    for (EpochSlot slot : slots) {
      bytes += slot == null ? 0 : slot.retired.bytes();
    }
    for (RetireList orphan : orphans) {
      bytes += orphan.bytes();
    }
    return bytes;
  }

  /**
   * Waits for all readers to leave and frees everything; a thread that wants to enter from now on
   * is refused. Nobody may retire any more. May be called twice.
   */
  @Override
  public void close() {
    closed = true;
    awaitQuiescence();
    reclaimAll();
  }

  private EpochSlot slot() {
    EpochSlot slot = mine.get();
    return slot != null ? slot : register();
  }

  private synchronized EpochSlot register() {
    dropDead();
    EpochSlot[] now = slots;
    int index = 0;
    while (index < now.length && now[index] != null) {
      index++;
    }
    EpochSlot[] next = Arrays.copyOf(now, Math.max(now.length, index + 1));
    EpochSlot slot = new EpochSlot(index, Thread.currentThread(), new RetireList());
    next[index] = slot;
    slots = next;
    mine.set(slot);
    return slot;
  }

  /** Takes the slots of dead threads away and their lists over; forgets lists that are empty. */
  private synchronized void dropDead() {
    EpochSlot[] alive = slots.clone();
    RetireList[] lists = Arrays.copyOf(orphans, orphans.length + alive.length);
    int count = 0;
    for (RetireList orphan : orphans) {
      synchronized (orphan) {
        if (!orphan.isEmpty()) {
          lists[count++] = orphan;
        }
      }
    }
    for (int i = 0; i < alive.length; i++) {
      if (alive[i] != null && alive[i].isDead()) {
        lists[count++] = alive[i].retired;
        alive[i] = null;
      }
    }
    orphans = Arrays.copyOf(lists, count);
    slots = alive;
  }

  /** C1 to C3. */
  private void advance() {
    long now = epoch.incrementAndGet();
    VarHandle.fullFence();
    long min = now;
    for (EpochSlot slot : slots) {
      if (slot != null) {
        long entered = slot.getEnteredAcquire();
        if (entered < min && !slot.isDead()) {
          min = entered;
        }
      }
    }
    raiseSafe(min);
  }

  private void raiseSafe(long to) {
    safe.accumulateAndGet(to, Math::max);
  }

  private void reclaimAll() {
    boolean dead = false;
    for (EpochSlot slot : slots) {
      if (slot != null) {
        reclaim(slot.retired);
        dead |= slot.isDead();
      }
    }
    if (dead) {
      dropDead();
    }
    for (RetireList orphan : orphans) {
      reclaim(orphan);
    }
  }

  private void reclaim(RetireList list) {
    List<Runnable> actions;
    synchronized (list) {
      actions = list.reclaim(safe.get());
    }
    for (Runnable action : actions) {
      action.run();
    }
  }

  private static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(PAUSE_NANOS); // returns at once while interrupted: then this spins
    }
  }
}
