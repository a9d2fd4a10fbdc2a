package io.bg3.core.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The schemas at one moment. Never changed. */
final class RuleCatalogue {
  private final long version;
  private final List<LabelRules> all;
  private final Map<Integer, LabelRules> ofVertices = new HashMap<>();
  private final Map<Integer, LabelRules> ofEdges = new HashMap<>();

  /**
   * @param version {@link io.bg3.core.transaction.SchemaVersion#rules} since they are these
   */
  RuleCatalogue(long version, List<LabelRules> all) {
    this.version = version;
    this.all = List.copyOf(all);
    for (LabelRules rules : all) {
      if (rules.isKept()) {
        of(rules.schema().kind()).put(rules.label(), rules);
      }
    }
  }

  private Map<Integer, LabelRules> of(ElementKind kind) {
    return kind == ElementKind.EDGE ? ofEdges : ofVertices;
  }

  long version() {
    return version;
  }

  /** All schemas, those that have failed among them, in the order in which they were defined. */
  List<LabelRules> all() {
    return all;
  }

  /** Whether commits keep rules of some elements. */
  boolean keeps(ElementKind kind) {
    return !of(kind).isEmpty();
  }

  /** The rules that commits keep of elements with a label, of vertices the first; null if none. */
  LabelRules kept(ElementKind kind, int label) {
    return of(kind).get(label);
  }

  /** The schema of a label, in any state; null if there is none. */
  LabelRules find(ElementKind kind, String label) {
    for (LabelRules rules : all) {
      if (rules.isOf(kind, label)) {
        return rules;
      }
    }
    return null;
  }
}
