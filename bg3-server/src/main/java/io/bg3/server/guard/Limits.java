package io.bg3.server.guard;

/**
 * What a client may ask for and take up, whoever it is. Times are milliseconds, sizes bytes.
 *
 * @param evaluationMillis the longest that a query runs
 * @param nesting how deep brackets of a text, and values of a message, stand inside each other
 * @param textLength the longest text, in characters
 * @param steps the most steps of one query, nested ones included
 * @param batch the most results of one message to a client
 * @param content the largest message, after it was put together and decompressed
 * @param connections the most connections at once
 * @param handshakeMillis how long a new connection may take to become a WebSocket
 * @param sessions the most sessions at once
 * @param sessionLifeMillis the longest that a session lives
 * @param sessionIdleMillis the longest that a session stands idle
 * @param sessionQueue the most requests of one session that wait
 * @param rows the most results of one query
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
