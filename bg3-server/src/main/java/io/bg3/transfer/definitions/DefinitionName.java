package io.bg3.transfer.definitions;

import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.LabelSchema;
import java.util.List;

/**
 * Which label, schema or index a definition is about. The parts are apart, since a label may have
 * any text: that of vertices {@code edge:knows} is not that of edges {@code knows}.
 *
 * @param kind the kind of the definition
 * @param elements the elements that it is about
 * @param label their label; null for all
 * @param keys the keys of an index, in their order; empty for the others
 */
public record DefinitionName(Kind kind, ElementKind elements, String label, List<String> keys) {
  /** The kinds of definitions that take work beside the writers. */
  public enum Kind {
    /** An edge label that becomes counted or ordered. */
    LABEL("edge label"),
    /** A schema that is verified. */
    SCHEMA("schema"),
    /** A property index that is built. */
    INDEX("index");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** A name that does not change. */
  public DefinitionName {
    keys = List.copyOf(keys);
  }

  /** The name of a declared edge label. */
  public static DefinitionName of(LabelDefinition label) {
    return ofLabel(label.name());
  }

  static DefinitionName ofLabel(String label) {
    return new DefinitionName(Kind.LABEL, ElementKind.EDGE, label, List.of());
  }

  /** The name of a schema. */
  public static DefinitionName of(LabelSchema schema) {
    return new DefinitionName(Kind.SCHEMA, schema.kind(), schema.label(), List.of());
  }

  static DefinitionName ofSchema(ElementKind elements, String label) {
    return new DefinitionName(Kind.SCHEMA, elements, label, List.of());
  }

  /** The name of a property index. */
  public static DefinitionName of(IndexedKeys index) {
    return new DefinitionName(Kind.INDEX, index.kind(), index.label(), index.keys());
  }

  /** Without its kind: {@code knows}, {@code edge:knows} of a schema, {@code person.name}. */
  public String text() {
    String text = kind != Kind.LABEL && elements == ElementKind.EDGE ? IndexedKeys.EDGES : "";
    text += label == null ? "*" : label;
    return kind == Kind.INDEX ? text + "." + String.join("+", keys) : text;
  }

  /** For people: {@code index person.name}. */
  @Override
  public String toString() {
    return kind + " " + text();
  }
}
