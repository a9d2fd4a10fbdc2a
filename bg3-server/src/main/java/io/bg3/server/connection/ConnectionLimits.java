package io.bg3.server.connection;

/**
 * The limits on what the server keeps for one connection.
 *
 * @param backlog bytes of its requests that wait
 * @param unreadMillis how long it may leave unread what it is sent
 */
public record ConnectionLimits(long backlog, long unreadMillis) {}
