package io.bg3.core.graph;

/**
 * A schema as it is at one moment.
 *
 * @param schema the rules
 * @param state what it is in
 * @param done how many elements with any label have been looked at to verify it, since the store
 *     was opened
 * @param problem the elements that break a rule, at least the first ones, or why they could not be
 *     looked at; null unless it has failed
 */
public record SchemaStatus(LabelSchema schema, SchemaState state, long done, String problem) {}
