package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.dispatch.EndReason;
import java.util.Locale;

/**
 * Tells a client whose request was ended why, what has become of its transaction, and what can be
 * done.
 *
 * <p>Threads: any; without state.
 */
final class EndedQuery {
  private EndedQuery() {}

  /** The answer to a request that was told to end, and whose transaction is not committed. */
  static Refusal undone(EndReason why, long limitMillis) {
    String none = ", and nothing of its transaction is committed";
    return switch (why) {
      case TIME ->
          Refusal.late(
              "the query did not end within its time"
                  + none
                  + ": evaluationTimeout="
                  + limitMillis
                  + " ms; a request may ask for as much as server.evaluation.timeout, or its"
                  + " user's limit");
      case PLACES ->
          Refusal.tooMany(
              "the query takes long and was ended, since all threads for such queries are taken"
                  + none
                  + "; repeat it later, or raise server.long.queries");
      case HEAP ->
          Refusal.late(
              "the query was ended, since the heap is nearly full and it had allocated more than"
                  + " others"
                  + none
                  + "; see server.heap.limit");
      case MEMORY ->
          Refusal.late(
              "the query was ended, since it had allocated more memory than one query of its user"
                  + " may"
                  + none
                  + "; the limit is the user's memory=, or else server.user.memory");
      case STOP -> Refusal.late("the server is stopping, and the query was ended" + none);
      case DROPPED -> Refusal.late("the graph was dropped, and the query was ended" + none);
      case GONE -> Refusal.late("the connection was closed" + none);
      case KILLED ->
          Refusal.late(
              "the query was ended by its user or an administrator"
                  + none
                  + "; see bg3.queries.kill");
      case MOMENT -> // not told to a client: a worker runs the query again
          Refusal.late("the query took too long for an event loop" + none);
    };
  }

  /** The answer to a request that was told to end, and that may have committed something. */
  static Refusal inParts(EndReason why, long limitMillis) {
    return Refusal.late(
        "the request was ended, and some or all of it may be done: look before you repeat it;"
            + " reason="
            + why.name().toLowerCase(Locale.ROOT)
            + ", evaluationTimeout="
            + limitMillis
            + " ms");
  }
}
