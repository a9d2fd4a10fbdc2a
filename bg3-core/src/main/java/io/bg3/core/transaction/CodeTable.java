package io.bg3.core.transaction;

import io.bg3.core.limit.Limit;
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
 * property key) and code as 4 bytes, big-endian; value is the text in UTF-8. A form stands in the
 * META tree: key is {@code form} and the same key; the bytes are the caller's.
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

  private final Map<Dictionary.Kind, Codes> kinds = new EnumMap<>(Dictionary.Kind.class);
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final int most;

  CodeTable() {
    this((int) Limit.CODES.most());
  }

  /**
   * A table with room for fewer codes than there may be, for tests.
   *
   * @param most codes of each kind
   */
  CodeTable(int most) {
    this.most = most;
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

  /** The text of a code, null if there is none. */
  String text(Dictionary.Kind kind, int code) {
    Codes codes = kinds.get(kind);
    return code < 1 || code > codes.count ? null : codes.texts[code];
  }

  /** The most codes of each kind. */
  int most() {
    return most;
  }

  int count(Dictionary.Kind kind) {
    return kinds.get(kind).count;
  }

  /** The form of a code, null if there is none. */
  byte[] form(Dictionary.Kind kind, int code) {
    return kinds.get(kind).forms.get(code);
  }

  /** Says what the form of a code is, before the code can be found or when a store is opened. */
  void addForm(Dictionary.Kind kind, int code, byte[] form) {
    kinds.get(kind).forms.put(code, form);
  }

  /** Adds a text under the next code. */
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
    codes.byText.put(text, code);
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
