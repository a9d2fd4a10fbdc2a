/**
 * Compression of what extents store: the codecs, the setting of a stream, and the sizes before and
 * after. Callers bound every length before they ask for memory.
 */
package io.bg3.storage.codec;
