/**
 * Sorts more edge entries than memory holds, in files that are deleted while the sorted entries are
 * read.
 */
package io.bg3.core.sort;
