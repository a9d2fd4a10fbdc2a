package io.bg3.core.graph;

/**
 * The order of an edge label as it is at one moment.
 *
 * @param state what it is in
 * @param done how many edges were looked at and then added to the order, since the label was
 *     declared or the store was opened
 * @param problem why the label is not ordered, or why the work has stopped until the label is
 *     declared once more or the store is opened again; null if there is none
 */
public record OrderStatus(OrderState state, long done, String problem) {}
