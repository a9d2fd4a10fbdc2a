/**
 * Routes keys to trees: the byte-key trees by number, the edges of an owner by directory and hash,
 * those with a time to live by the family of their label.
 */
package io.bg3.core.forest;
