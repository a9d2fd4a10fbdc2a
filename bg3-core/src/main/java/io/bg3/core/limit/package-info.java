/**
 * The limits of a store: {@link io.bg3.core.limit.Limit} names every limit, and {@link
 * io.bg3.core.limit.LimitExceededException} says which of them a caller has met.
 *
 * <p>A limit is checked where the caller hands something over, and the whole of a commit once more
 * before it takes its timestamp: from there on nothing may fail, and what the log holds replay has
 * to be able to do again.
 */
package io.bg3.core.limit;
