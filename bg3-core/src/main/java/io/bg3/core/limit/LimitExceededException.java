package io.bg3.core.limit;

/**
 * Something is larger or more than a store can hold. It has not been logged; the transaction is
 * still open and can go on without it, or be rolled back.
 */
public final class LimitExceededException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final Limit limit;
  private final long given;

  LimitExceededException(Limit limit, long given, String where) {
    super(
        limit.what()
            + ": limit="
            + limit
            + ", most="
            + limit.most()
            + " "
            + limit.unit()
            + ", given="
            + given
            + (where.isEmpty() ? "" : ", in=" + where));
    this.limit = limit;
    this.given = given;
  }

  /** The limit that was met. */
  public Limit limit() {
    return limit;
  }

  /**
   * The number or size that was given, in the unit of the limit; at least the limit and one where
   * nobody counted on.
   */
  public long given() {
    return given;
  }
}
