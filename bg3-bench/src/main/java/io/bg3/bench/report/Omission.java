package io.bg3.bench.report;

/**
 * A work that a system could not do.
 *
 * @param work that was to be done
 * @param system that could not do it
 * @param reason for people, on one line
 */
public record Omission(String work, String system, String reason) {}
