/**
 * The parts that all blocks of pages share: the header and its fences, columns of byte keys and of
 * values, the image of a page in storage, and the cache lines that a look-up will read.
 *
 * <p>{@link io.bg3.core.block.PageHeader} and {@link io.bg3.core.block.ValueBlock} draw their
 * bytes. A block is never changed after it was published. A view of one is placed on an address,
 * belongs to one thread, and is valid inside of the epoch in which the address was read (R12).
 */
package io.bg3.core.block;
