/**
 * Many operations on links and nodes in one message, and their answers in another: two arrays of
 * bytes, for who makes so many requests that what each costs by itself is what they cost.
 *
 * <p>docs/provider.md describes the format, which has a version.
 */
package io.bg3.gremlin.batch;
