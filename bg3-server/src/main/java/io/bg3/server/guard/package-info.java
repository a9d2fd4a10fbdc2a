/**
 * Validates messages on their bytes and queries on their steps, before anything is made of them or
 * runs them, and bounds what a query makes of values while it runs.
 *
 * <p>{@link io.bg3.server.guard.AllowList} says what a query may consist of, {@link
 * io.bg3.server.guard.Limits} how much of it. The package knows neither connections nor threads.
 */
package io.bg3.server.guard;
