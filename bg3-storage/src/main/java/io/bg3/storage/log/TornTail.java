package io.bg3.storage.log;

/**
 * The torn tail of a log: remains of records that were never acknowledged, which a crash left
 * behind the end. It is cut off when the log is opened for writing.
 *
 * @param position the end of the log
 * @param bytes from there to the last byte that is not zero; 0 when the log ends cleanly
 */
public record TornTail(long position, long bytes) {}
