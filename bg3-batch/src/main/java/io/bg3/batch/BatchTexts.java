package io.bg3.batch;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The labels and property keys that the operations of a request name by numbers. They stand before
 * the operations of every request. A client that sends many requests shares one table among them,
 * because it encodes each text once.
 *
 * <p>Threads: any.
 */
public final class BatchTexts {
  /** The most bytes of a text in UTF-8. */
  public static final int MAX_BYTES = 1_024;

  /** The most texts of a table. */
  public static final int MAX_COUNT = 0xffff;

  private static final int INITIAL_BYTES = 256;

  private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
  private final BatchWriter content = new BatchWriter(INITIAL_BYTES); // guarded by this
  private byte[] encoded; // guarded by this; null if a text was added since
  private volatile String[] texts = new String[16]; // written before count
  private volatile int count; // changes guarded by this

  /**
   * The number of a text, which is added if the table does not have it.
   *
   * @throws IllegalArgumentException if the text is longer than {@link #MAX_BYTES}, or the table
   *     has {@link #MAX_COUNT} texts
   */
  public int number(String text) {
    Integer number = numbers.get(text);
    return number == null ? numbers.computeIfAbsent(text, this::add) : number;
  }

  private synchronized int add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a label or property key is too long: bytes=" + bytes.length + ", most=" + MAX_BYTES);
    }
    if (count == MAX_COUNT) {
      throw new IllegalArgumentException("too many labels and property keys: most=" + MAX_COUNT);
    }
    if (count == texts.length) {
      texts = Arrays.copyOf(texts, 2 * count);
    }
    texts[count] = text;
    content.u16(bytes.length).bytes(bytes);
    encoded = null;
    int number = count;
    count = number + 1; // publishes the text
    return number;
  }

  /**
   * The text with a number.
   *
   * @throws IllegalArgumentException if there is none
   */
  String text(int number) {
    int known = count;
    if (number >= known) {
      throw new IllegalArgumentException(
          "text is not there: number=" + number + ", count=" + known);
    }
    return texts[number];
  }

  /** The number of texts, and each after its length. Not to be changed. */
  synchronized byte[] encoded() {
    if (encoded == null) {
      encoded = new BatchWriter(Short.BYTES + content.length()).u16(count).add(content).toArray();
    }
    return encoded;
  }
}
