/**
 * Routes keys to trees: the byte-key trees by number, the edges of an owner by directory and hash.
 */
package io.bg3.core.forest;
