package io.bg3.storage.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Keeps the hot field of {@link EpochSlot} off the cache line of whatever lies before it. */
class EpochSlotPadding {
  long b0;
  long b1;
  long b2;
  long b3;
  long b4;
  long b5;
  long b6;
  long b7;
  long b8;
  long b9;
  long b10;
  long b11;
  long b12;
  long b13;
  long b14;
}

/** The fields that the thread of an {@link EpochSlot} writes when it enters and leaves. */
class EpochSlotState extends EpochSlotPadding {
  /**
   * Epoch in which the thread entered, or {@link EpochSlot#OUTSIDE}. Written by the thread, read by
   * all.
   */
  long entered;

  /** The number of times that the thread has entered and not left. Touched by the thread only. */
  int depth;
}

/** The state of one thread in {@link Epochs}. */
final class EpochSlot extends EpochSlotState {
  static final long OUTSIDE = Long.MAX_VALUE;

  private static final VarHandle ENTERED;

  static {
    try {
      ENTERED = MethodHandles.lookup().findVarHandle(EpochSlotState.class, "entered", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  long a0;
  long a1;
  long a2;
  long a3;
  long a4;
  long a5;
  long a6;
  long a7;
  long a8;
  long a9;
  long a10;
  long a11;
  long a12;
  long a13;
  long a14;

  final int index;
  final Thread owner;
  final RetireList retired;

  EpochSlot(int index, Thread owner, RetireList retired) {
    this.index = index;
    this.owner = owner;
    this.retired = retired;
    this.entered = OUTSIDE;
  }

  void putEnteredOpaque(long epoch) {
    ENTERED.setOpaque(this, epoch);
  }

  void putEnteredRelease(long epoch) {
    ENTERED.setRelease(this, epoch);
  }

  long getEnteredAcquire() {
    return (long) ENTERED.getAcquire(this);
  }

  /** Whether the owner has ended; if so, everything it did happened before. */
  boolean isDead() {
    // The state is a plain read and nearly always says no; isAlive is what orders the thread's
    // actions.
    return owner.getState() == Thread.State.TERMINATED && !owner.isAlive();
  }
}
