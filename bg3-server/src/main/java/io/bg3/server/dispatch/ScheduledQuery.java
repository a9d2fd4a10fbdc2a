package io.bg3.server.dispatch;

import java.util.Optional;

/**
 * A request at a moment, as {@link Scheduler#queries} gives it.
 *
 * @param work the request
 * @param owner its user, or its address where there are no users
 * @param nanos how long it has run, or waited
 * @param running empty while it waits
 * @param thread that it runs in; null if it has none yet
 */
public record ScheduledQuery(
    ScheduledRequest work,
    String owner,
    long nanos,
    Optional<RunningRequest> running,
    Thread thread) {}
