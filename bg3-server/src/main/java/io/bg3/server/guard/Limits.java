package io.bg3.server.guard;

/**
 * What a client may ask for and take up, whoever it is.
 *
 * @param evaluationMillis the longest that a query runs
 */
public record Limits(long evaluationMillis) {}
