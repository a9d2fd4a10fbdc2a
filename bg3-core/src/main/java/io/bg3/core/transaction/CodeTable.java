package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Lifetimes;
import io.bg3.core.limit.Limit;
import io.bg3.core.tree.FamilySettings;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The codes in memory, and the lock that keeps "there is no such code" true until the commit that
 * rests on it has its place in the order.
 *
 * <pre>
 *   T1 found no code for "a"             T2 wants a code for "a"
 *   lock shared                          lock exclusively ............ waits
 *   looks again: still none
 *   takes its timestamp
 *   unlock                               .............................. code 7, logged
 *                                        T2's commit with code 7: after T1
 * </pre>
 *
 * <p>The entries stand in the DICTIONARY tree: key is kind (1 vertex label, 2 edge label, 3
 * property key) and code as 4 bytes, big-endian; value is the text in UTF-8. Under the number 4
 * stand, without a text, the codes of the edge labels that have a time to live, and under the
 * number 5 code 0 while there is a schema. Under the number 6 stand, with one byte, the families of
 * the codes that have one ({@link EdgeKey#family}); under the number 7 the names of families
 * ({@link NamedFamilies}). A form stands in the META tree: key is {@code form} and the same key;
 * the bytes are the caller's, but for what says that an edge label has a time to live ({@link
 * #ttlMillis}). The code of such a label, or of one with a family, has {@link EdgeKey#TTL} and its
 * family added wherever it is used; on the disk its number stands without.
 *
 * <p>Threads: any may look; {@link #add} needs the exclusive lock. A text is put before it can be
 * found by its code, and found by its text last.
 */
final class CodeTable {
  static final int KEY_LENGTH = 1 + Integer.BYTES;

  /** The first bytes of the keys of forms. */
  static final byte[] FORM = "form".getBytes(StandardCharsets.US_ASCII);

  private static final class Codes {
    final Map<String, Integer> byText = new ConcurrentHashMap<>();
    volatile String[] texts = new String[16]; // by code; 0 unused
    final Map<Integer, byte[]> forms = new ConcurrentHashMap<>(); // by code, where there is one
    volatile int count;
  }

  /** Stands on disk in place of the number of a kind. */
  private static final byte TTL_KIND = 4;

  private static final byte SCHEMA_KIND = 5;

  private static final byte FAMILY_KIND = 6;

  /** The bit of the first byte of a form that says that a time to live follows, as a varint. */
  static final int FORM_TTL = 16;

  private final Map<Dictionary.Kind, Codes> kinds = new EnumMap<>(Dictionary.Kind.class);
  private final Lifetimes lifetimes = new Lifetimes();

  /** The families of edge labels by the numbers of these; none for family 0. */
  private final Map<Integer, Integer> families = new ConcurrentHashMap<>();

  private final NamedFamilies named = new NamedFamilies();

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final int most;
  private final int mostWithTtl;

  CodeTable() {
    this((int) Limit.CODES.most(), (int) Limit.TTL_LABELS.most());
  }

  /**
   * A table with room for fewer codes than there may be, for tests.
   *
   * @param most codes of each kind
   * @param mostWithTtl the largest number of an edge label with a time to live
   */
  CodeTable(int most, int mostWithTtl) {
    this.most = most;
    this.mostWithTtl = mostWithTtl;
    for (Dictionary.Kind kind : Dictionary.Kind.values()) {
      kinds.put(kind, new Codes());
    }
  }

  ReadWriteLock lock() {
    return lock;
  }

  /** The code of a text, 0 if there is none. */
  int find(Dictionary.Kind kind, String text) {
    Integer code = kinds.get(kind).byText.get(text);
    return code == null ? 0 : code;
  }

  /** The families that have a name. */
  NamedFamilies named() {
    return named;
  }

  /** How long the edges live whose labels have a time to live. */
  Lifetimes lifetimes() {
    return lifetimes;
  }

  /** The text of a code, null if there is none. */
  String text(Dictionary.Kind kind, int code) {
    Codes codes = kinds.get(kind);
    int number = kind == Dictionary.Kind.EDGE_LABEL ? EdgeKey.number(code) : code;
    return number < 1 || number > codes.count || code(kind, number) != code
        ? null
        : codes.texts[number];
  }

  /** The code with this number, which has {@link EdgeKey#TTL} and a family added or not. */
  int code(Dictionary.Kind kind, int number) {
    if (kind != Dictionary.Kind.EDGE_LABEL || number > EdgeKey.MAX_TTL_NUMBER) {
      return number;
    }
    int family = families.getOrDefault(number, 0);
    if (lifetimes.has(number | EdgeKey.TTL)) {
      return EdgeKey.ttlLabel(family, number);
    }
    return family > 0 ? EdgeKey.lastingLabel(family, number) : number;
  }

  /**
   * The family without a name for a new label with a time to live: that of the labels with the same
   * one, or a new one, or 0 where there are too many. The exclusive lock is held.
   */
  int familyOf(long ttlMillis) {
    for (int family : families.values()) {
      if (lifetimes.ofFamily(family) == ttlMillis && !named.has(family)) {
        return family;
      }
    }
    int next = nextFamily();
    return next <= EdgeKey.MAX_FAMILY ? next : 0;
  }

  /** The number of the next family, which may be too large. The exclusive lock is held. */
  int nextFamily() {
    int last = named.last();
    for (int family : families.values()) {
      last = Math.max(last, family);
    }
    return last + 1;
  }

  /** Says of which family the edge label with a number is, before {@link #addForm}. */
  void addFamily(int number, int family) {
    families.put(number, family);
    Codes codes = kinds.get(Dictionary.Kind.EDGE_LABEL);
    if (number <= codes.count) { // when a store is opened
      codes.byText.put(codes.texts[number], code(Dictionary.Kind.EDGE_LABEL, number));
    }
  }

  /** Says what a family with a name is. */
  void addNamedFamily(int family, String name, FamilySettings settings) {
    named.put(family, name, settings);
    if (settings.ttlMillis() > 0) {
      lifetimes.putFamily(family, settings.ttlMillis());
    }
  }

  /**
   * The time to live in the form of an edge label, 0 if it has none.
   *
   * @param form null for none
   * @throws CorruptionException if it is no positive number
   */
  static long ttlMillis(byte[] form) {
    if (form == null || form.length == 0 || (form[0] & FORM_TTL) == 0) {
      return 0;
    }
    long millis = Varints.get(ByteBuffer.wrap(form).position(1));
    if (millis <= 0) {
      throw new CorruptionException(
          "edge label", 1, "a positive time to live", Long.toString(millis));
    }
    return millis;
  }

  /** The most codes of each kind. */
  int most() {
    return most;
  }

  /** The largest number of an edge label with a time to live. */
  int mostWithTtl() {
    return mostWithTtl;
  }

  int count(Dictionary.Kind kind) {
    return kinds.get(kind).count;
  }

  /** The form of a code, null if there is none. */
  byte[] form(Dictionary.Kind kind, int code) {
    int number = kind == Dictionary.Kind.EDGE_LABEL ? EdgeKey.number(code) : code;
    return kinds.get(kind).forms.get(number);
  }

  /**
   * Says what the form is of the code with a number, before the code can be found or when a store
   * is opened.
   */
  void addForm(Dictionary.Kind kind, int number, byte[] form) {
    Codes codes = kinds.get(kind);
    codes.forms.put(number, form);
    long ttl = kind == Dictionary.Kind.EDGE_LABEL ? ttlMillis(form) : 0;
    if (ttl > 0) {
      if (number > EdgeKey.MAX_TTL_NUMBER) {
        throw new CorruptionException(
            "edge label", 0, "a number up to " + EdgeKey.MAX_TTL_NUMBER, Integer.toString(number));
      }
      lifetimes.put(number | EdgeKey.TTL, ttl);
      lifetimes.putFamily(families.getOrDefault(number, 0), ttl);
      if (number <= codes.count) {
        codes.byText.put(codes.texts[number], code(kind, number));
      }
    }
  }

  /** Adds a text under the code with the next number. */
  void add(Dictionary.Kind kind, String text, int code) {
    Codes codes = kinds.get(kind);
    assert code == codes.count + 1 : "codes are dense: code=" + code + ", count=" + codes.count;
    String[] texts = codes.texts;
    if (code == texts.length) {
      texts = Arrays.copyOf(texts, 2 * code);
    }
    texts[code] = text;
    codes.texts = texts;
    codes.count = code;
    codes.byText.put(text, code(kind, code));
  }

  static byte[] key(Dictionary.Kind kind, int code) {
    return new byte[] {
      (byte) number(kind),
      (byte) (code >>> 24),
      (byte) (code >>> 16),
      (byte) (code >>> 8),
      (byte) code
    };
  }

  /**
   * The key, without a value, that keeps earlier releases from opening a store with an edge label
   * that has a time to live: they would take the stamps from its entries.
   */
  static byte[] ttlKey(int number) {
    byte[] key = key(Dictionary.Kind.EDGE_LABEL, number);
    key[0] = TTL_KIND;
    return key;
  }

  static boolean isTtlKey(byte[] key) {
    return key.length == KEY_LENGTH && key[0] == TTL_KIND;
  }

  /**
   * The key whose value is the family of an edge label, one byte. It keeps releases from opening
   * the store that look for the edges of the label among others.
   */
  static byte[] familyKey(int number) {
    byte[] key = key(Dictionary.Kind.EDGE_LABEL, number);
    key[0] = FAMILY_KIND;
    return key;
  }

  static boolean isFamilyKey(byte[] key) {
    return key.length == KEY_LENGTH && key[0] == FAMILY_KIND;
  }

  /** The key, without a value, of a store that has a schema. */
  static byte[] schemaKey() {
    return new byte[] {SCHEMA_KIND, 0, 0, 0, 0};
  }

  static boolean isSchemaKey(byte[] key) {
    return Arrays.equals(key, schemaKey());
  }

  /** The key of a code's form in the META tree. */
  static byte[] formKey(Dictionary.Kind kind, int code) {
    byte[] key = Arrays.copyOf(FORM, FORM.length + KEY_LENGTH);
    System.arraycopy(key(kind, code), 0, key, FORM.length, KEY_LENGTH);
    return key;
  }

  /** The key of the code whose form this is the key of, null if it is that of something else. */
  static byte[] codeKey(byte[] formKey) {
    return formKey.length == FORM.length + KEY_LENGTH
            && Arrays.equals(formKey, 0, FORM.length, FORM, 0, FORM.length)
        ? Arrays.copyOfRange(formKey, FORM.length, formKey.length)
        : null;
  }

  static int code(byte[] key) {
    return (key[1] & 0xFF) << 24 | (key[2] & 0xFF) << 16 | (key[3] & 0xFF) << 8 | (key[4] & 0xFF);
  }

  /** The kind in a key, null if there is none of this number. */
  static Dictionary.Kind kind(byte[] key) {
    for (Dictionary.Kind kind : Dictionary.Kind.values()) {
      if (number(kind) == key[0]) {
        return kind;
      }
    }
    return null;
  }

  static byte[] encode(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String decode(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }

  /** Stands on disk, so it does not follow the order of the constants. */
  private static int number(Dictionary.Kind kind) {
    return switch (kind) {
      case VERTEX_LABEL -> 1;
      case EDGE_LABEL -> 2;
      case PROPERTY_KEY -> 3;
    };
  }
}
