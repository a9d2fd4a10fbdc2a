/**
 * The bytes of a page: edge leaves as small compressed-sparse-row graphs, byte-key leaves, inner
 * pages, the one delta a leaf may have, and the images of all of them in storage.
 */
package io.bg3.core.page;
