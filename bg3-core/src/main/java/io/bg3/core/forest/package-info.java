/**
 * Which tree holds whose entries: the byte-key trees by number, the edges of an owner by directory
 * and hash.
 */
package io.bg3.core.forest;
