package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Families;
import io.bg3.core.transaction.SchemaVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The declared edge labels of a store, by code. A label has its form before it can be found, and
 * keeps it: so what was read once is right for ever, except that a label may become counted ({@link
 * EdgeCounting}) or ordered ({@link EdgeOrdering}), also one that was in use without a declaration.
 *
 * <p>Threads: any.
 */
final class EdgeLabels {
  /**
   * The labels that are known.
   *
   * @param byNumber by the numbers of the codes; null where a label is not declared
   * @param declared ascending by code, so those with a family are the last
   * @param ordered those of them that are ordered
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Known(EdgeLabel[] byNumber, EdgeLabel[] declared, EdgeLabel[] ordered) {}

  private static final EdgeLabel[] NONE = {};

  private final Dictionary dictionary;
  private final SchemaVersion version;

  /** Held while the form of a label changes that is known; taken before the gate. */
  private final Object changes = new Object();

  private volatile Known known = new Known(new EdgeLabel[1], NONE, NONE);

  EdgeLabels(Dictionary dictionary, SchemaVersion version) {
    this.dictionary = dictionary;
    this.version = version;
  }

  /** The monitor of changes of forms: what a form becomes rests on what it was. */
  Object changes() {
    return changes;
  }

  /** The writes that give a label a form; the caller adds to them, and commits them. */
  WriteSet formOf(EdgeLabel label, byte[] form) {
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, Dictionary.formKey(label.code()), form);
    return writes;
  }

  /** How often a label has become one that commits count: read before the labels are asked. */
  long counters() {
    return version.counters();
  }

  /** How often the order of a label with edges came further: read before the labels are asked. */
  long orders() {
    return version.orders();
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
      int family = form.family() == null ? 0 : dictionary.families().find(form.family());
      dictionary.declare(
          Dictionary.Kind.EDGE_LABEL, name, form.encode(sortKey, false, null), family);
    }
    EdgeLabel label = find(name);
    if (label == null) {
      throw new IllegalArgumentException(
          "an edge label must be declared before it is first used: label="
              + name
              + ", wanted="
              + form
              + "; afterwards it can only become counted or ordered");
    }
    if (!label.form().equals(form)) {
      throw new IllegalArgumentException(
          "the edge label has another declaration, which cannot change: label="
              + name
              + ", declared="
              + label.form()
              + ", wanted="
              + form
              + later(label));
    }
    return label;
  }

  private static String later(EdgeLabel label) {
    if (label.hasTtl()) {
      return "; a label with a time to live becomes neither counted nor ordered";
    }
    boolean ordered = label.form().sortKey() != null;
    if (ordered && label.keepsCounters()) {
      return "";
    }
    return "; afterwards it can only become "
        + (label.keepsCounters() ? "ordered" : ordered ? "counted" : "counted or ordered");
  }

  /**
   * A form with the time to live of its family.
   *
   * @param label what is declared, for messages
   * @throws IllegalArgumentException if there is no such family, if the form says another time, or
   *     if it is counted and the family's edges expire
   */
  EdgeLabelForm resolved(String label, EdgeLabelForm form) {
    if (form.family() == null) {
      return form;
    }
    Families families = dictionary.families();
    int family = families.find(form.family());
    if (family == 0) {
      throw new IllegalArgumentException(
          "there is no such family; define it first: family=" + form.family() + ", label=" + label);
    }
    long ttlMillis = families.settings(family).ttlMillis();
    if (form.ttlMillis() != 0 && form.ttlMillis() != ttlMillis) {
      throw new IllegalArgumentException(
          "the family has another time to live; leave out that of the label, which has the"
              + " family's: label="
              + label
              + ", family="
              + form.family()
              + ", ttl="
              + ttlMillis
              + ", wanted="
              + form.ttlMillis());
    }
    if (ttlMillis > 0 && form.counted()) {
      throw new IllegalArgumentException(
          "edges with a time to live cannot be counted, and the family has one; declare the label"
              + " without the counter or in another family: label="
              + label
              + ", family="
              + form.family()
              + ", ttl="
              + ttlMillis);
    }
    return form.withTtl(ttlMillis);
  }

  /** The declared label with this name, null if there is none. */
  EdgeLabel find(String name) {
    int code = dictionary.find(Dictionary.Kind.EDGE_LABEL, name);
    return code == 0 ? null : of(code);
  }

  /** The declared label with this code, null if it is not declared. */
  EdgeLabel of(int code) {
    int number = EdgeKey.number(code);
    EdgeLabel[] byNumber = known.byNumber;
    if (number >= byNumber.length) {
      byNumber = refreshed().byNumber;
    }
    EdgeLabel label = number < byNumber.length ? byNumber[number] : null;
    return label != null && label.code() == code ? label : null;
  }

  /** Whether any label has got an order when it had edges, or is getting one. */
  boolean hasAdded() {
    for (EdgeLabel label : current().declared) {
      if (label.added() != null) {
        return true;
      }
    }
    return false;
  }

  /** Whether any label has a time to live. */
  boolean anyTtl() {
    return Arrays.stream(current().declared).anyMatch(EdgeLabel::hasTtl);
  }

  /** All that are declared, ascending by code; not to be changed. */
  EdgeLabel[] declared() {
    return current().declared;
  }

  /** All that were ordered before their first edges, ascending by code; not to be changed. */
  EdgeLabel[] ordered() {
    return current().ordered;
  }

  private Known current() {
    Known now = known;
    boolean all = dictionary.count(Dictionary.Kind.EDGE_LABEL) < now.byNumber.length;
    return all ? now : refreshed();
  }

  private synchronized Known refreshed() {
    int count = dictionary.count(Dictionary.Kind.EDGE_LABEL);
    EdgeLabel[] byNumber = Arrays.copyOf(known.byNumber, count + 1);
    List<EdgeLabel> declared = new ArrayList<>(List.of(known.declared));
    List<EdgeLabel> ordered = new ArrayList<>(List.of(known.ordered));
    for (int number = known.byNumber.length; number <= count; number++) {
      byte[] form = dictionary.form(Dictionary.Kind.EDGE_LABEL, number);
      if (form != null) {
        EdgeLabel label = label(dictionary.ofNumber(Dictionary.Kind.EDGE_LABEL, number), form);
        byNumber[number] = label;
        declared.add(label);
        if (label.isOrdered()) {
          ordered.add(label);
        }
      }
    }
    declared.sort(Comparator.comparingInt(EdgeLabel::code));
    ordered.sort(Comparator.comparingInt(EdgeLabel::code));
    known = new Known(byNumber, declared.toArray(NONE), ordered.toArray(NONE));
    return known;
  }

  /** Adds a label that is in use and was not declared, and is from now on. */
  synchronized void add(EdgeLabel label) {
    Known now = refreshed();
    EdgeLabel[] byNumber = now.byNumber.clone();
    byNumber[EdgeKey.number(label.code())] = label;
    EdgeLabel[] declared = Arrays.copyOf(now.declared, now.declared.length + 1);
    declared[now.declared.length] = label;
    Arrays.sort(declared, Comparator.comparingInt(EdgeLabel::code));
    known = new Known(byNumber, declared, now.ordered);
  }

  private EdgeLabel label(int code, byte[] form) {
    int sortKeyCode = EdgeLabelForm.sortKeyCode(form);
    AddedOrder added = EdgeLabelForm.added(form);
    String sortKey =
        sortKeyCode == 0 ? null : dictionary.text(Dictionary.Kind.PROPERTY_KEY, sortKeyCode);
    String name = dictionary.text(Dictionary.Kind.EDGE_LABEL, code);
    return new EdgeLabel(
        name,
        code,
        EdgeLabelForm.decode(form, sortKey, dictionary.families().name(EdgeKey.family(code))),
        added == null ? sortKeyCode : 0,
        EdgeLabelForm.isBuilding(form),
        added);
  }
}
