package io.bg3.core.transaction;

import io.bg3.core.commit.Visibility;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.limit.Limit;
import io.bg3.core.tree.FamilySettings;
import io.bg3.core.tree.Tree;
import io.bg3.storage.Waiting;
import io.bg3.storage.format.CorruptionException;
import java.util.function.BiConsumer;

/**
 * The codes of labels and property keys: small positive numbers that stand for texts in keys and
 * records.
 *
 * <p>A code is made by a commit of its own that is in the log before anything can use it. It is
 * never undone and never used for another text. A code may have a <i>form</i>: bytes that say what
 * is special about what the text names, made in the same commit. So the thread that uses a code has
 * found its form, and what the form says of entries does not change after the first use ({@link
 * #changeForm}). The form of an edge label may say how long its edges live ({@link #FORM_TTL}).
 *
 * <p>Threads: any.
 */
public final class Dictionary {
  /** The kinds of names; each kind has its own codes. */
  public enum Kind {
    VERTEX_LABEL,
    EDGE_LABEL,
    PROPERTY_KEY
  }

  /**
   * The bit of the first byte of an edge label's form that says that the milliseconds follow, as a
   * varint, which its edges live.
   */
  public static final int FORM_TTL = CodeTable.FORM_TTL;

  private final CodeTable codes;
  private final Committer committer;
  private final Visibility visibility;
  private final Trees trees;
  private final Families families;

  Dictionary(CodeTable codes, Committer committer, Visibility visibility, Trees trees) {
    this.codes = codes;
    this.trees = trees;
    this.committer = committer;
    this.visibility = visibility;
    this.families = new Families(codes, committer, visibility, trees);
  }

  /** The families of edge labels that have a name. */
  public Families families() {
    return families;
  }

  /**
   * The code of {@code text}, made if there is none yet. The numbers of codes are dense from 1 and
   * fit in 29 bits.
   *
   * @throws io.bg3.core.limit.LimitExceededException if the text is longer than 1,024 bytes in
   *     UTF-8, or all codes of the kind are taken
   * @throws IllegalArgumentException if the text is empty or malformed
   * @throws io.bg3.core.commit.StoreFailedException if a code had to be made and the store has
   *     stopped writing
   */
  public int code(Kind kind, String text) {
    int code = codes.find(kind, text);
    if (code == 0) {
      code = make(kind, text);
    }
    return code != 0 ? code : codes.find(kind, text);
  }

  /**
   * Makes a code with a form for a text that has no code. When it returns, every transaction sees
   * it and, with {@link io.bg3.core.commit.Durability#SYNC}, no crash takes it back.
   *
   * @param form the caller must not change it afterwards
   * @param family that an edge label is of, with the same time to live; 0 if its time to live says
   *     it
   * @return the code; 0 if the text has one already, and nothing was done
   * @throws io.bg3.core.limit.LimitExceededException if the text is longer than 1,024 bytes in
   *     UTF-8, or all codes of the kind are taken, or too many for a label with a family
   * @throws IllegalArgumentException if the text is empty or malformed
   * @throws io.bg3.core.commit.StoreFailedException if the store has stopped writing
   */
  public int declare(Kind kind, String text, byte[] form, int family) {
    return make(kind, text, form, family);
  }

  /** The key of the form of an edge label in the META tree. */
  public static byte[] formKey(int label) {
    return CodeTable.formKey(Kind.EDGE_LABEL, EdgeKey.number(label));
  }

  /**
   * Says what the form of an edge label is from now on; the caller commits the same under {@link
   * #formKey}. A time to live does not come or go.
   */
  public void changeForm(int label, byte[] form) {
    byte[] old = codes.form(Kind.EDGE_LABEL, label);
    assert CodeTable.ttlMillis(old) == CodeTable.ttlMillis(form) : "label=" + label;
    codes.addForm(Kind.EDGE_LABEL, EdgeKey.number(label), form);
  }

  /** The form of a code, null if it has none. The caller must not change it. */
  public byte[] form(Kind kind, int code) {
    return codes.form(kind, code);
  }

  /**
   * Puts a code that is in the log into memory; were it not there, its number would be used again.
   */
  private void remember(Kind kind, String text, int code, byte[] form, int family) {
    try {
      if (family > 0) {
        codes.addFamily(code, family);
      }
      if (form != null) {
        codes.addForm(kind, code, form);
      }
      codes.add(kind, text, code);
    } catch (OutOfMemoryError e) {
      visibility.fail(e);
      throw e;
    }
  }

  /**
   * Refuses what cannot be a label or a property key.
   *
   * @return its bytes in UTF-8
   * @throws io.bg3.core.limit.LimitExceededException if it is longer than 1,024 bytes in UTF-8
   * @throws IllegalArgumentException if it is empty or malformed
   */
  public static byte[] requireName(String text) {
    Limit.NAME_BYTES.check(text.length()); // before a copy is made
    byte[] bytes = CodeTable.encode(text);
    Limit.NAME_BYTES.check(bytes.length);
    if (bytes.length == 0 || !CodeTable.decode(bytes).equals(text)) {
      throw new IllegalArgumentException(
          "the name of a label, property key or family must be well-formed text of 1 to "
              + Limit.NAME_BYTES.most()
              + " bytes in UTF-8: bytes="
              + bytes.length);
    }
    return bytes;
  }

  /** Makes a code for a text; 0 if it has got one meanwhile. */
  int make(Kind kind, String text) {
    return make(kind, text, null, 0);
  }

  /**
   * The family of a new edge label, which has a tree when this returns: there is one before the
   * first entry, whatever becomes of the label.
   *
   * @param named that it was declared with; 0 for none
   */
  private int openFamily(int number, int named, long ttlMillis) {
    if (named == 0 && ttlMillis == 0) {
      return 0;
    }
    if (number > codes.mostWithTtl()) {
      throw Limit.TTL_LABELS.exceeded(number, Kind.EDGE_LABEL.toString());
    }
    if (named > 0) {
      return named;
    }
    int family = codes.familyOf(ttlMillis);
    if (family > 0) {
      trees.openFamily(family);
    }
    return family;
  }

  private int make(Kind kind, String text, byte[] form, int named) {
    byte[] value = requireName(text);
    Waiting.require("a new code");
    codes.lock().writeLock().lock();
    try {
      if (codes.find(kind, text) != 0) {
        return 0;
      }
      int code = codes.count(kind) + 1;
      if (code > codes.most()) {
        throw Limit.CODES.exceeded(code, kind.toString());
      }
      long ttlMillis = kind == Kind.EDGE_LABEL ? CodeTable.ttlMillis(form) : 0;
      int family = openFamily(code, named, ttlMillis);
      WriteSet writes = new WriteSet();
      writes.add(TreeIds.DICTIONARY, CodeTable.key(kind, code), value);
      if (form == null) {
        committer.commitAlone(writes);
      } else {
        writes.add(TreeIds.META, CodeTable.formKey(kind, code), form);
        if (ttlMillis > 0) {
          writes.add(TreeIds.DICTIONARY, CodeTable.ttlKey(code), new byte[0]);
        }
        if (family > 0) {
          writes.add(TreeIds.DICTIONARY, CodeTable.familyKey(code), new byte[] {(byte) family});
        }
        visibility.awaitVisible(committer.commitAlone(writes).stamp);
      }
      remember(kind, text, code, form, family);
      return codes.code(kind, code);
    } finally {
      codes.lock().writeLock().unlock();
    }
  }

  /**
   * The code of {@code text}, 0 if there is none. A transaction that goes on to write because it
   * found none uses {@link Transaction#findCode} instead, which is checked at its commit.
   */
  public int find(Kind kind, String text) {
    return codes.find(kind, text);
  }

  /**
   * The text that {@code code} stands for.
   *
   * @throws IllegalArgumentException if there is no such code
   */
  public String text(Kind kind, int code) {
    String text = codes.text(kind, code);
    if (text == null) {
      throw new IllegalArgumentException(
          "no such code: kind=" + kind + ", code=" + code + ", count=" + codes.count(kind));
    }
    return text;
  }

  /** Whether there is such a code. */
  public boolean has(Kind kind, int code) {
    return codes.text(kind, code) != null;
  }

  /** The number of codes of this kind: their numbers are 1 to this. */
  public int count(Kind kind) {
    return codes.count(kind);
  }

  /**
   * The code with a number: for an edge label that has a time to live, the number with {@link
   * EdgeKey#TTL} and its family added.
   */
  public int ofNumber(Kind kind, int number) {
    return codes.code(kind, number);
  }

  /**
   * The key of the DICTIONARY tree, without a value, that a store has while it has a schema: it
   * keeps releases from opening the store that know no schemas, and would write what breaks them.
   */
  public static byte[] schemaKey() {
    return CodeTable.schemaKey();
  }

  /** Reads all codes and forms from their trees, at the opening of a store. */
  static void load(CodeTable into, Trees trees) {
    scan(
        trees.ofSpace(TreeIds.DICTIONARY),
        new byte[0],
        null,
        (page, i) -> load(into, trees, page, i));
    byte[] low = CodeTable.FORM;
    byte[] high = EdgeKey.after(low);
    scan(trees.ofSpace(TreeIds.META), low, high, (page, i) -> loadForm(into, page, i));
  }

  private static void scan(Tree tree, byte[] low, byte[] high, BiConsumer<Entries, Integer> each) {
    Entries page = tree.newEntries();
    byte[] next = low;
    while (next != null) {
      page.clear();
      next = tree.copyForward(next, high, Long.MAX_VALUE, true, Integer.MAX_VALUE, page);
      for (int i = 0; i < page.count(); i++) {
        each.accept(page, i);
      }
    }
  }

  private static void loadForm(CodeTable into, Entries page, int i) {
    byte[] key = CodeTable.codeKey(page.key(i));
    Kind kind = key == null ? null : CodeTable.kind(key);
    if (kind == null || CodeTable.code(key) < 1 || CodeTable.code(key) > into.count(kind)) {
      throw new CorruptionException(
          "META tree",
          0,
          "forms of codes in the dictionary",
          KeySpace.describe(TreeIds.META, page.key(i), KeySpace.successor(page.key(i))));
    }
    into.addForm(kind, CodeTable.code(key), page.value(i));
  }

  private static void loadFamily(CodeTable into, Trees trees, int number, byte[] value) {
    if (value.length != 1 || value[0] == 0 || number < 1 || number > EdgeKey.MAX_TTL_NUMBER) {
      throw new CorruptionException(
          "DICTIONARY tree", 0, "a family of an edge label", number + ", " + value.length);
    }
    into.addFamily(number, value[0] & 0xFF);
    trees.openFamily(value[0] & 0xFF);
  }

  private static void loadNamedFamily(CodeTable into, Trees trees, int family, byte[] name) {
    FamilySettings settings = trees.settingsOfFamily(family);
    if (family < 1 || family > EdgeKey.MAX_FAMILY || settings == null) {
      throw new CorruptionException(
          "DICTIONARY tree", 0, "a family with settings in the META tree", "family " + family);
    }
    trees.openFamily(family);
    into.addNamedFamily(family, CodeTable.decode(name), settings);
  }

  private static void load(CodeTable into, Trees trees, Entries page, int i) {
    byte[] key = page.key(i);
    if (CodeTable.isTtlKey(key) || CodeTable.isSchemaKey(key)) {
      return; // the form says it too, or the definition of a schema
    }
    if (CodeTable.isFamilyKey(key)) {
      loadFamily(into, trees, CodeTable.code(key), page.value(i));
      return;
    }
    if (NamedFamilies.isKey(key)) {
      loadNamedFamily(into, trees, CodeTable.code(key), text(trees, page, i));
      return;
    }
    Kind kind = key.length == CodeTable.KEY_LENGTH ? CodeTable.kind(key) : null;
    if (kind == null || CodeTable.code(key) != into.count(kind) + 1) {
      throw new CorruptionException(
          "DICTIONARY tree",
          0,
          "the keys of kinds 1 to 7, of which 1 to 3 have codes from 1 without gaps",
          KeySpace.describe(TreeIds.DICTIONARY, key, KeySpace.successor(key)));
    }
    into.add(kind, CodeTable.decode(text(trees, page, i)), CodeTable.code(key));
  }

  private static byte[] text(Trees trees, Entries page, int i) {
    byte[] value = page.value(i);
    return Op.isLocation(page.op(i))
        ? trees.values().read(TreeIds.DICTIONARY, page.key(i), value)
        : value;
  }
}
