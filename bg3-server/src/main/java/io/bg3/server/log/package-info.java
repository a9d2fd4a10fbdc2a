/**
 * Logging of what clients cause: one escaped line per event, limited in length and rate, so that a
 * client can neither forge a line, nor fill the disk, nor hide other lines.
 *
 * <ul>
 *   <li>{@link io.bg3.server.log.ClientLog} writes the lines of BG3's own handlers.
 *   <li>{@link io.bg3.server.log.ForeignLineFilter} and the converters apply these limits to lines
 *       of TinkerPop and Netty, and to the audit log if it has no file of its own; {@code
 *       conf/logback.xml} configures them.
 *   <li>{@link io.bg3.server.log.RotatedFile} rotates files by size and by day.
 *   <li>{@link io.bg3.server.log.ClientAddress} decides which addresses count as one client, for
 *       this and all other limits.
 * </ul>
 */
package io.bg3.server.log;
