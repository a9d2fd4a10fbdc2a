/**
 * What a server writes into its log because of a client: one escaped line each, limited in length
 * and in rate, so that no client can forge the log, fill the disk with it, or hide in it.
 *
 * <ul>
 *   <li>{@link io.bg3.server.log.ClientLog} writes the lines of BG3's own handlers.
 *   <li>{@link io.bg3.server.log.ForeignLineFilter} and the converters hold the lines of TinkerPop
 *       and Netty to the same, by {@code conf/logback.xml}, and the audit log where it has no file.
 *   <li>{@link io.bg3.server.log.RotatedFile} replaces files by size and by day.
 *   <li>{@link io.bg3.server.log.ClientAddress} says which clients are one, for this and all other
 *       limits.
 * </ul>
 */
package io.bg3.server.log;
