package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
import java.util.Set;

/** Validates with the default limits, for tests. */
public final class ValidatedMessages {
  public static final Limits LIMITS =
      new Limits(
          30_000, 200, 65_536, 5_000, 1_024, 1_048_576, 1_024, 10_000, 128, 600_000, 60_000, 64,
          1_000_000, 1_048_576);
  static final TextParser PARSER = new TextParser(1 << 20);
  static final QueryValidator JUDGE =
      new QueryValidator(PARSER, LIMITS, Set.of("known", "reading")::contains, "reading"::equals);

  private ValidatedMessages() {}

  public interface ScheduledRequest {
    void run() throws Refusal;
  }

  /** The message of a refusal; empty if the work passes. */
  public static String verdict(ScheduledRequest work) {
    try {
      work.run();
      return "";
    } catch (Refusal e) {
      return e.getMessage();
    }
  }
}
