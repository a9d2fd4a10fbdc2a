package io.bg3.server.access;

import io.bg3.server.dispatch.OwnerLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits of a user's queries, as a {@link UsersFile} has them: {@code
 * time=5000,queries=2,memory=none}.
 *
 * @param time milliseconds of one query; {@link #UNSET} or 0 for none
 * @param queries at once, outside of transactions; {@link #UNSET} or 0 for none
 * @param memory bytes that one query may allocate; {@link #UNSET} or 0 for none
 */
public record UserLimits(long time, long queries, long memory) {
  /** Stands for a limit that the user has not: the server's setting for all users holds. */
  public static final long UNSET = -1;

  /** A user without limits of its own. */
  public static final UserLimits NONE = new UserLimits(UNSET, UNSET, UNSET);

  private static final String NO_LIMIT = "none";
  private static final String DEFAULT = "default";
  private static final String TIME = "time";
  private static final String QUERIES = "queries";
  private static final String MEMORY = "memory";

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a limit is negative, or there can never be as many queries
   */
  public UserLimits {
    require(TIME, time, Long.MAX_VALUE);
    require(QUERIES, queries, Integer.MAX_VALUE);
    require(MEMORY, memory, Long.MAX_VALUE);
  }

  private static void require(String name, long limit, long most) {
    if (limit < UNSET || limit > most) {
      throw new IllegalArgumentException("limit is out of range: " + name + "=" + limit);
    }
  }

  /**
   * Reads limits.
   *
   * @param text limits with commas between them; may be empty
   * @throws IllegalArgumentException if it has something else
   */
  static UserLimits of(String text) {
    UserLimits limits = NONE;
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String value = part.substring(equals + 1);
      limits =
          switch (part.substring(0, Math.max(0, equals))) {
            case TIME -> limits.with(value, null, null);
            case QUERIES -> limits.with(null, value, null);
            case MEMORY -> limits.with(null, null, value);
            default ->
                throw new IllegalArgumentException(
                    "not a limit: known=" + TIME + "|" + QUERIES + "|" + MEMORY);
          };
    }
    return limits;
  }

  /**
   * These limits with some in the place of others: a number, {@code none} for no limit, {@code
   * default} for the server's setting, or null for the one that is there.
   *
   * @throws IllegalArgumentException if a text is none of these
   */
  public UserLimits with(String newTime, String newQueries, String newMemory) {
    return new UserLimits(
        number(TIME, newTime, time),
        number(QUERIES, newQueries, queries),
        number(MEMORY, newMemory, memory));
  }

  private static long number(String name, String text, long before) {
    if (text == null) {
      return before;
    }
    if (text.equals(NO_LIMIT)) {
      return 0;
    }
    if (text.equals(DEFAULT)) {
      return UNSET;
    }
    try {
      long number = Long.parseLong(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(name, e);
    }
    throw wrong(name, null);
  }

  private static IllegalArgumentException wrong(String name, Throwable cause) {
    return new IllegalArgumentException(
        "limit is not a positive whole number, " + NO_LIMIT + " or " + DEFAULT + ": limit=" + name,
        cause);
  }

  /** These limits, and the server's where the user has none of its own. */
  OwnerLimits or(OwnerLimits standard) {
    return new OwnerLimits(
        time == UNSET ? standard.millis() : time,
        queries == UNSET ? standard.queries() : (int) queries,
        memory == UNSET ? standard.bytes() : memory);
  }

  /** The limits as {@link #of} reads them; empty if there are none. */
  String text() {
    List<String> parts = new ArrayList<>();
    add(parts, TIME, time);
    add(parts, QUERIES, queries);
    add(parts, MEMORY, memory);
    return String.join(",", parts);
  }

  private static void add(List<String> parts, String name, long limit) {
    if (limit != UNSET) {
      parts.add(name + "=" + (limit == 0 ? NO_LIMIT : Long.toString(limit)));
    }
  }
}
