package io.bg3.storage.memory;

/**
 * Memory was asked for that the budget does not hold. Names the setting to change and all the
 * numbers.
 */
public final class MemoryExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String setting;
  private final long asked;
  private final long used;
  private final long limit;

  public MemoryExceededException(String what, String setting, long asked, long used, long limit) {
    this(what, setting, asked, used, limit, null);
  }

  public MemoryExceededException(
      String what, String setting, long asked, long used, long limit, Throwable cause) {
    super(
        what
            + ": asked="
            + asked
            + " bytes, used="
            + used
            + " bytes, limit="
            + limit
            + " bytes, setting="
            + setting,
        cause);
    this.setting = setting;
    this.asked = asked;
    this.used = used;
    this.limit = limit;
  }

  /** The setting that limits the budget, or what it is taken from where it is not set. */
  public String setting() {
    return setting;
  }

  /** Bytes that could not be granted. */
  public long asked() {
    return asked;
  }

  /** Bytes in use when they were asked for. */
  public long used() {
    return used;
  }

  /** Bytes that the budget holds. */
  public long limit() {
    return limit;
  }
}
