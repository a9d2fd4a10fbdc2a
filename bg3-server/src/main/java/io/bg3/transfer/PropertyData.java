package io.bg3.transfer;

import io.bg3.core.graph.Cardinality;
import java.util.Map;

/**
 * A property of a vertex.
 *
 * @param cardinality what becomes of the values that the vertex already has under the key
 * @param id given by the user, or the text that the store made up; null for none
 * @param metas its meta-properties
 */
public record PropertyData(
    String key, Object value, Cardinality cardinality, Object id, Map<String, Object> metas) {}
