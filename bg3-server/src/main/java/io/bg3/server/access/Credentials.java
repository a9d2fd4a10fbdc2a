package io.bg3.server.access;

/**
 * A name and a password, as a client gave them.
 *
 * @param password in UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, to be cleared there
record Credentials(String name, byte[] password) {}
