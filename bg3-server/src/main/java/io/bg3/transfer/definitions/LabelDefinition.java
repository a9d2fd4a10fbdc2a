package io.bg3.transfer.definitions;

import io.bg3.core.graph.EdgeLabelForm;

/** An edge label and the form that it was declared with. */
public record LabelDefinition(String name, EdgeLabelForm form) {}
