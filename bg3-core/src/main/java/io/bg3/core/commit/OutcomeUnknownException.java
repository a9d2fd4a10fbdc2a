package io.bg3.core.commit;

/**
 * The log failed while this commit was under way: whether it happened is decided by what the next
 * opening of the store finds. Never retried by any helper, since that could do the work twice. The
 * cause is the log's first failure.
 */
public final class OutcomeUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The commit with timestamp {@code stamp} was in flight when {@code cause} stopped the log. */
  public OutcomeUnknownException(long stamp, Throwable cause) {
    super(
        "the log failed during the commit, its outcome is unknown: stamp="
            + stamp
            + ", cause="
            + cause,
        cause);
  }
}
