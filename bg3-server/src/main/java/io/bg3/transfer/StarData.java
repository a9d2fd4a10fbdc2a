package io.bg3.transfer;

import java.util.List;

/**
 * A vertex with all its edges. A loop is in both lists.
 *
 * @param in the incoming edges
 * @param out the outgoing edges
 */
public record StarData(VertexData vertex, List<EdgeData> in, List<EdgeData> out) {}
