package io.bg3.transfer;

import java.util.List;

/**
 * A vertex with all its edges; a loop stands among both.
 *
 * @param in the edges that enter it
 * @param out the edges that leave it
 */
public record StarData(VertexData vertex, List<EdgeData> in, List<EdgeData> out) {}
