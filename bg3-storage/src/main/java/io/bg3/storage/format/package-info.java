/**
 * The parts of a format that all files share: the header each file opens with, checksums,
 * variable-length integers, and the exceptions for bytes that are damaged, too old or too new.
 *
 * <p>Integers in files are little-endian. A decoder never believes a length before the checksum
 * over it has matched, and answers bytes it cannot use with one of this package's exceptions and
 * with no other.
 */
package io.bg3.storage.format;
