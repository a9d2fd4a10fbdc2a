package io.bg3.server.dispatch;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Time as the scheduler reads it, in nanoseconds; tests have another. */
interface Clock {
  /** The clock of the virtual machine. */
  Clock SYSTEM =
      new Clock() {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public long processorNanos(Thread thread) {
          return THREADS.getThreadCpuTime(thread.getId());
        }

        @Override
        public boolean isRunnable(Thread thread) {
          return thread.getState() == Thread.State.RUNNABLE;
        }
      };

  /** As {@link System#nanoTime}. */
  long nanos();

  /** Time that a thread has had a processor; -1 if that is not known. */
  long processorNanos(Thread thread);

  /** Whether a thread has a processor or waits for one, and for nothing else. */
  boolean isRunnable(Thread thread);
}
