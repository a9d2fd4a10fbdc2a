package io.bg3.server.dispatch;

/**
 * The numbers of the scheduler at a moment.
 *
 * @param waiting requests that wait
 * @param waitingBytes their bytes
 * @param running requests that run
 * @param longRunning those of them that take long
 * @param stuck those that do not end although they were told to
 * @param stuckTotal how many were found stuck since the start
 */
public record SchedulerMetrics(
    int waiting, long waitingBytes, int running, int longRunning, int stuck, long stuckTotal) {}
