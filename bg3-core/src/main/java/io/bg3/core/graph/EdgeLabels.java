package io.bg3.core.graph;

import io.bg3.core.transaction.Dictionary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The declared edge labels of a store, by code. A label has its form before it can be found, and
 * keeps it: so what was read once is right for ever.
 *
 * <p>Threads: any.
 */
final class EdgeLabels {
  /**
   * The labels that are known.
   *
   * @param byCode null where a label is not declared
   * @param declared ascending by code
   * @param ordered those of them that are ordered
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Known(EdgeLabel[] byCode, EdgeLabel[] declared, EdgeLabel[] ordered) {}

  private static final EdgeLabel[] NONE = {};

  private final Dictionary dictionary;
  private volatile Known known = new Known(new EdgeLabel[1], NONE, NONE);

  EdgeLabels(Dictionary dictionary) {
    this.dictionary = dictionary;
  }

  /**
   * Declares a label.
   *
   * @throws IllegalArgumentException if it is declared otherwise, or in use without
   */
  EdgeLabel declare(String name, EdgeLabelForm form) {
    if (dictionary.find(Dictionary.Kind.EDGE_LABEL, name) == 0) {
      Dictionary.requireName(name); // before a code is made for the sort key
      int sortKey =
          form.sortKey() == null
              ? 0
              : dictionary.code(Dictionary.Kind.PROPERTY_KEY, form.sortKey());
      dictionary.declare(Dictionary.Kind.EDGE_LABEL, name, form.encode(sortKey));
    }
    EdgeLabel label = find(name);
    if (label == null) {
      throw new IllegalArgumentException(
          "an edge label must be declared before it is first used: label="
              + name
              + ", wanted="
              + form);
    }
    if (!label.form().equals(form)) {
      throw new IllegalArgumentException(
          "the edge label is declared otherwise, for good: label="
              + name
              + ", declared="
              + label.form()
              + ", wanted="
              + form);
    }
    return label;
  }

  /** The declared label with this name, null if there is none. */
  EdgeLabel find(String name) {
    int code = dictionary.find(Dictionary.Kind.EDGE_LABEL, name);
    return code == 0 ? null : of(code);
  }

  /** The declared label with this code, null if it is not declared. */
  EdgeLabel of(int code) {
    EdgeLabel[] byCode = known.byCode;
    if (code >= byCode.length) {
      byCode = refreshed().byCode;
    }
    return code < byCode.length ? byCode[code] : null;
  }

  /** All that are declared, ascending by code; not to be changed. */
  EdgeLabel[] declared() {
    return current().declared;
  }

  /** All that are ordered, ascending by code; not to be changed. */
  EdgeLabel[] ordered() {
    return current().ordered;
  }

  private Known current() {
    Known now = known;
    boolean all = dictionary.count(Dictionary.Kind.EDGE_LABEL) < now.byCode.length;
    return all ? now : refreshed();
  }

  private synchronized Known refreshed() {
    int count = dictionary.count(Dictionary.Kind.EDGE_LABEL);
    EdgeLabel[] byCode = Arrays.copyOf(known.byCode, count + 1);
    List<EdgeLabel> declared = new ArrayList<>(List.of(known.declared));
    List<EdgeLabel> ordered = new ArrayList<>(List.of(known.ordered));
    for (int code = known.byCode.length; code <= count; code++) {
      byte[] form = dictionary.form(Dictionary.Kind.EDGE_LABEL, code);
      if (form != null) {
        byCode[code] = label(code, form);
        declared.add(byCode[code]);
        if (byCode[code].isOrdered()) {
          ordered.add(byCode[code]);
        }
      }
    }
    known = new Known(byCode, declared.toArray(NONE), ordered.toArray(NONE));
    return known;
  }

  private EdgeLabel label(int code, byte[] form) {
    int sortKeyCode = EdgeLabelForm.sortKeyCode(form);
    String sortKey =
        sortKeyCode == 0 ? null : dictionary.text(Dictionary.Kind.PROPERTY_KEY, sortKeyCode);
    String name = dictionary.text(Dictionary.Kind.EDGE_LABEL, code);
    return new EdgeLabel(name, code, EdgeLabelForm.decode(form, sortKey), sortKeyCode);
  }
}
