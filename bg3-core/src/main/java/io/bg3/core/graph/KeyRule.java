package io.bg3.core.graph;

import java.util.Locale;

/**
 * The requirement of a {@link LabelSchema} for one property key.
 *
 * @param key the key
 * @param type that of each value
 * @param cardinality SINGLE: a vertex has one value at most; SET: it has no value twice; null or
 *     LIST: as many as it likes. Edges have one value in any case
 * @param required whether each element has a value
 */
public record KeyRule(String key, ValueType type, Cardinality cardinality, boolean required) {
  /** A rule that names a key; every value is allowed, and none is required. */
  public static KeyRule of(String key) {
    return new KeyRule(key, ValueType.ANY, null, false);
  }

  /** A rule for the values of a key. */
  public static KeyRule of(String key, ValueType type) {
    return new KeyRule(key, type, null, false);
  }

  /** This rule, with a cardinality. */
  public KeyRule with(Cardinality each) {
    return new KeyRule(key, type, each, required);
  }

  /** This rule, of a key that each element has. */
  public KeyRule asRequired() {
    return new KeyRule(key, type, cardinality, true);
  }

  /** As {@code bg3.schema.define} takes it: {@code name:[type:string, required:true]}. */
  @Override
  public String toString() {
    return "%s:[type:%s%s%s]"
        .formatted(
            key,
            type,
            cardinality == null
                ? ""
                : ", cardinality:" + cardinality.name().toLowerCase(Locale.ROOT),
            required ? ", required:true" : "");
  }
}
