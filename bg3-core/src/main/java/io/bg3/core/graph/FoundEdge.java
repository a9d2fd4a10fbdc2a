package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;

/**
 * An edge that was found, with its record.
 *
 * @param edge seen from its source
 * @param record its id and its properties
 */
public record FoundEdge(EdgeId edge, EdgeRecord record) {}
