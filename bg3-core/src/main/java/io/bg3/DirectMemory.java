package io.bg3;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limit of this JVM's memory outside of the heap, and a check that a budget fits into it.
 *
 * <p>A commit asks the budget for memory before it takes its timestamp. The memory that the budget
 * grants, the JVM has to have: were it refused when the commit writes its pages, the store could
 * not go on. So a budget is refused at the opening unless the JVM may take all of it and, besides,
 *
 * <ul>
 *   <li>half of it ({@link #FREE_SHARE}): blocks are free between those in use, and the slabs that
 *       they lie in are made ahead; a budget that commits of all sizes filled was found to take 1.5
 *       times as much,
 *   <li>{@link #BUFFERS}: the log's buffer, and what each thread needs for reading and writing
 *       files; more where so many pages are read at a time that their buffers would take more than
 *       half of that.
 * </ul>
 */
final class DirectMemory {
  /** The part of a budget that may be held and not used. */
  static final int FREE_SHARE = 2;

  /** Bytes for buffers that no budget counts. */
  static final long BUFFERS = 16L << 20;

  /** Bytes of the largest buffer through which a thread reads a page. */
  private static final long READ_BUFFER = 512L << 10;

  private static final long LEAST_BUDGET = 8L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(DirectMemory.class);

  /** The budgets of all stores that are open in this JVM. */
  private static final AtomicLong CLAIMED = new AtomicLong();

  private static final String FLAG = "-XX:MaxDirectMemorySize=";
  private static final String VARIABLE = "BG3_DIRECT";

  private DirectMemory() {}

  /**
   * Bytes: what {@code -XX:MaxDirectMemorySize} says, else the largest heap, which is the JVM's own
   * default.
   */
  static long limit() {
    String flag = flag();
    return flag == null ? Runtime.getRuntime().maxMemory() : Settings.parseBytes(flag);
  }

  /** The source of the limit: the variable of {@code bin/bg3}, the JVM's option, or the heap. */
  static String source() {
    String flag = flag();
    if (flag == null) {
      return "-Xmx, since there is no " + FLAG.substring(0, FLAG.length() - 1);
    }
    return flag.equals(System.getenv(VARIABLE)) ? VARIABLE + "=" + flag : FLAG + flag;
  }

  /** The option's value; null if it is not given or leaves the default. */
  private static String flag() {
    String last = null;
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith(FLAG)) {
        last = argument.substring(FLAG.length());
      }
    }
    return "0".equals(last) ? null : last;
  }

  /**
   * Notes that a store is open, and warns if what is granted to all that are is more than the JVM
   * may take: each alone was not refused, since they are rarely full at one time.
   *
   * @return to be closed with the store
   */
  static AutoCloseable claim(long budget, int reads) {
    long claimed = CLAIMED.addAndGet(budget);
    if (claimed > largestBudget(limit(), reads)) {
      LOG.warn(
          "the stores that are open may together need more memory outside of the heap than the JVM"
              + " may take: budgets={}, -XX:MaxDirectMemorySize={}; lower {} of each, or raise"
              + " -XX:MaxDirectMemorySize (BG3_DIRECT for bin/bg3)",
          claimed,
          limit(),
          Setting.MEMORY_BUDGET.key());
    }
    return () -> CLAIMED.addAndGet(-budget);
  }

  /**
   * Bytes outside of the heap that a store with this budget may come to take.
   *
   * @param reads pages that are read at the same time for one group
   */
  static long needed(long budget, int reads) {
    return Math.addExact(budget, budget / FREE_SHARE + buffers(reads));
  }

  /** The largest budget for which so many bytes outside of the heap suffice; may be negative. */
  static long largestBudget(long limit, int reads) {
    return (limit - buffers(reads)) / (FREE_SHARE + 1) * FREE_SHARE;
  }

  private static long buffers(int reads) {
    return Math.max(BUFFERS, BUFFERS / 2 + reads * READ_BUFFER);
  }

  /** The default budget of a store: half of the limit, less where that is small. */
  static long defaultBudget(int reads) {
    long limit = limit();
    return Math.max(LEAST_BUDGET, Math.min(limit / 2, largestBudget(limit, reads)));
  }

  /**
   * Refuses a budget that the JVM may come not to have the memory for.
   *
   * @param limit what it may take outside of the heap
   * @throws IllegalArgumentException naming both settings, and what each would have to be
   */
  static void require(long budget, long limit, int reads) {
    if (budget > largestBudget(limit, reads)) {
      String setting = Setting.MEMORY_BUDGET.key();
      throw new IllegalArgumentException(
          "the JVM is not allowed as much memory outside of the heap as the store needs: "
              + setting
              + "="
              + budget
              + ", needed="
              + (budget > Long.MAX_VALUE / 2 ? "more" : Long.toString(needed(budget, reads)))
              + ", -XX:MaxDirectMemorySize="
              + limit
              + "; set "
              + setting
              + " to at most "
              + Math.max(0, largestBudget(limit, reads))
              + ", or raise -XX:MaxDirectMemorySize (BG3_DIRECT for bin/bg3)");
    }
  }
}
