package io.bg3.gremlin.batch;

import java.util.List;

/**
 * Properties as a message brings them.
 *
 * @param keys their names
 * @param values of the same number
 */
record BatchProperties(List<String> keys, List<Object> values) {}
