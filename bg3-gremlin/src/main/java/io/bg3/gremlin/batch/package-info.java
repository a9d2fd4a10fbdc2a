/**
 * Many operations on links and nodes in one message, and their answers in another: two arrays of
 * bytes, for clients whose requests are many and small, so that a request costs more than its work.
 *
 * <p>docs/provider.md describes the format, which has a version.
 */
package io.bg3.gremlin.batch;
