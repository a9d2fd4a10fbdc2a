package io.bg3.core.commit;

/**
 * A place in the log before which nothing is missing in the pages.
 *
 * @param position every commit whose record ends at or before it is in the pages
 * @param stamp the newest of those commits; totals that go with this position must not be older
 */
public record ReplayStart(long position, long stamp) {}
