package io.bg3.core.graph;

/**
 * A condition that a query has on a property, for a look-up by an index.
 *
 * @param key that of the property
 * @param sought the values that meet it, one of which the element has to have
 */
public record Condition(String key, Sought sought) {}
