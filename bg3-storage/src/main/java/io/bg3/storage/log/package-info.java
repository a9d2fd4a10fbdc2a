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
 * <p><b>Writing.</b> A segment gets its length and its header, and these and its name are synced,
 * before the first record reaches it. A new file is filled with zeros besides, so that it has its
 * space: before that sync where records are synced often, behind it where they are not, so that the
 * zeros need not reach the disk before the records that replace them. {@link
 * io.bg3.storage.log.WriteAheadLog#reserve} does all that ahead of need, in the thread that comes
 * past half of the last segment, so the writer never waits for it and a full disk is found before
 * anything is promised. A failed write or sync is final: the kernel may have dropped the bytes, and
 * a second sync would report success.
 *
 * <p><b>Files that are used again.</b> The file of a segment that replay does not need any more
 * becomes a new segment: it is renamed, gets its new header, is synced, and the directory is. The
 * records that it held are still in it, whole, and none of them is ever read:
 *
 * <pre>
 *  log-0000000000000000     | header 0     | record at 0 | record at 136 | record at 272 | ...
 *  log-0000000000002000     | header 8192  | record at 8192    | 36 | record at 272 | ...
 *                                                              ^ the end: 272 is not 8192 + 272
 * </pre>
 *
 * <ul>
 *   <li>A record's header carries the position of its first byte under a checksum over the store's
 *       id and all its fields (W1), and counts only where it stands at that position (W2).
 *   <li>A file is given back only when a manifest is in place from which replay starts behind it.
 *       Every position in it, of whichever of its lives, is below the end of the segment it last
 *       was; the new base is not below the end of any segment. So no old header is valid at any
 *       place of the new segment, neither as a record nor as a claim in T2 or T3.
 *   <li>Positions come again only where recovery has cut records off. These lie in the segment that
 *       holds the end, where their headers are zeroed, and in segments behind it, which are deleted
 *       and never used again.
 *   <li>An old payload below a torn new header fails the body's checksum (W5).
 *   <li>A crash between the steps leaves a file before the log under its old name, with either
 *       header, or one behind its end under the new name, with either header and without a valid
 *       record. Recovery deletes both.
 * </ul>
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
 * <p><b>Opening</b> makes the end true before anything is answered: headers of records behind it
 * are zeroed, segments behind it deleted, and every segment that was replayed, and the directory,
 * are synced. Without the zeros replay could one day begin just before a record that was cut off,
 * where no epoch stands against it; without the syncs an answer could rest on what a killed process
 * left in the page cache, and be lost to a power cut. Records that nobody claims to be durable are
 * written again before that sync, since pages whose sync failed under the killed process count as
 * clean.
 *
 * <p><b>Not detected.</b> Damage to the last batch before a crash, when neither a later record nor
 * the manifest claims it, looks like a torn tail. So does a lost last segment that was never
 * claimed.
 */
package io.bg3.storage.log;
