package io.bg3.server.connection;

/**
 * What one connection may make the server keep.
 *
 * @param backlog bytes of its requests that wait
 * @param unreadMillis how long it may leave unread what it is sent
 */
public record ConnectionLimits(long backlog, long unreadMillis) {}
