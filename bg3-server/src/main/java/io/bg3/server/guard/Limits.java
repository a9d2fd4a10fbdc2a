package io.bg3.server.guard;

/**
 * The limits for each client, whatever its user may do. Times are in milliseconds, sizes in bytes
 * unless stated otherwise.
 *
 * @param evaluationMillis the longest time that a query runs
 * @param nesting the deepest nesting of brackets in a query text, and of values in a message
 * @param textLength the longest query text, in characters
 * @param steps the most steps of a query, nested ones included
 * @param batch the most results in one response message
 * @param content the largest message, after reassembly and decompression
 * @param connections the most open connections
 * @param handshakeMillis the longest time from a connection's start to its WebSocket handshake
 * @param sessions the most open sessions
 * @param sessionLifeMillis the longest life of a session
 * @param sessionIdleMillis the longest idle time of a session
 * @param sessionQueue the most waiting requests of a session
 * @param rows the most results of a query
 * @param value the largest value that one step makes of smaller ones, in characters
 */
public record Limits(
    long evaluationMillis,
    int nesting,
    int textLength,
    int steps,
    int batch,
    int content,
    int connections,
    long handshakeMillis,
    int sessions,
    long sessionLifeMillis,
    long sessionIdleMillis,
    int sessionQueue,
    long rows,
    long value) {}
