/**
 * The write-ahead log: records that are appended by many, written by one, and read once, when the
 * store is opened.
 *
 * <p><b>Positions.</b> The log is one endless stream of bytes, numbered from 0; a position is a
 * byte's number and is never given to a second acknowledged record. Framing and padding count,
 * headers of segment files do not. The stream is cut into segments:
 *
 * <pre>
 *  file   log-0000000000000000      log-00000000000ff000             log-00000000002fe000
 *         | header | 1020 KiB |     | header |    2044 KiB     |     | header | ...
 *  stream          0 ... ff000               ff000 ... 2fe000                 2fe000 ...
 * </pre>
 *
 * A segment is named after its first position, and byte p of the stream is byte 4096 + p - base of
 * its file. Records begin at multiples of 8 and run on from one segment into the next.
 *
 * <p><b>Writing.</b> A segment is created, filled with zeros, given its header and synced together
 * with the directory before the first record reaches it. {@link
 * io.bg3.storage.log.WriteAheadLog#reserve} does that ahead of need, in the thread of whoever comes
 * past half of the last segment, so the writer never waits for it and a full disk is found before
 * anything is promised. A failed write or sync is final: the kernel may have dropped the bytes, and
 * a second sync would report success.
 *
 * <p><b>Torn tail or damage.</b> Each record claims how far the log was durable when it was
 * written. Where a record at position p is not valid, the log is damaged if and only if
 *
 * <ul>
 *   <li>T1: the manifest claims durability beyond p, or
 *   <li>T2: the header of a later record is valid and claims durability beyond p, or
 *   <li>T3: a segment behind p has no valid header but holds the valid header of a record, since no
 *       record reaches a segment before its header is durable.
 * </ul>
 *
 * Otherwise the log ends at p: what follows was never acknowledged, and any part of it may be on
 * the disk, also a whole record behind a hole.
 *
 * <p><b>Opening</b> makes the end true before anything is answered: the rest of the stream behind
 * it is zeroed or deleted, and every segment that was replayed, and the directory, are synced.
 * Without the zeros a later record could come to stand before old bytes that continue it; without
 * the syncs an answer could rest on what a killed process left in the page cache, and be lost to a
 * power cut. Records that nobody claims to be durable are written again before that sync, since
 * pages whose sync failed under the killed process count as clean.
 *
 * <p><b>Not detected.</b> Damage to the last batch before a crash, when neither a later record nor
 * the manifest claims it, looks like a torn tail. So does a lost last segment that was never
 * claimed.
 */
package io.bg3.storage.log;
