package io.bg3.gremlin.structure;

/**
 * Marks a factory of services that change nothing in the graph. A service whose factory does not
 * say so is taken to write: {@code call()} of it is refused under {@code ReadOnlyStrategy}, and to
 * users of a server who may only read.
 */
public interface ReadOnlyService {}
