package io.bg3.server.access;

/**
 * The name and password that a client sent.
 *
 * @param password the bytes of the password in UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // the receiver clears the array
record Credentials(String name, byte[] password) {}
