package io.bg3.server.dispatch;

/**
 * The most that the queries of one owner may take: of a user, or of an address where there are no
 * users. 0 is no limit. The limits of the server apply besides.
 *
 * @param millis of one query
 * @param queries at once; those in transactions, which have threads of their own, neither count nor
 *     wait for others
 * @param bytes that one query may allocate on the heap, garbage included: the virtual machine
 *     counts that for each thread, and does not count what is still in use
 */
public record OwnerLimits(long millis, int queries, long bytes) {
  /** No limit but the server's. */
  public static final OwnerLimits NONE = new OwnerLimits(0, 0, 0);

  /** The time of a query that asks for so many milliseconds. */
  long millis(long asked) {
    return millis == 0 ? asked : Math.min(asked, millis);
  }

  /** Whether so many queries are as many as may run at once. */
  boolean isFull(int running) {
    return queries != 0 && running >= queries;
  }

  /** Whether a query that has allocated so many bytes has to end. */
  boolean isExceeded(long allocated) {
    return bytes != 0 && allocated > bytes;
  }
}
