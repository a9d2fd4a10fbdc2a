package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.LinkStoreException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The texts that operations mean by numbers: names of properties first, then those of types, in the
 * order in which they were met. They stand before the operations of every request.
 *
 * <p>Threads: any.
 */
final class TextTable {
  static final int VERSION = 0;
  static final int TIME = 1;
  static final int DATA = 2;

  private static final int MOST = 0xffff;

  private final Map<Long, Integer> types = new ConcurrentHashMap<>();
  private final ByteArrayOutputStream texts = new ByteArrayOutputStream(); // guarded by this
  private int count; // guarded by this
  private byte[] encoded; // guarded by this; null if a text has come since

  TextTable() {
    add("version");
    add("time");
    add("data");
  }

  /** The number of the label that a type is. */
  int label(long type) {
    Integer number = types.get(type);
    return number == null ? types.computeIfAbsent(type, each -> add(Long.toString(each))) : number;
  }

  /**
   * Number of texts, and each with its length before it; contains all numbers given so far. It is
   * not to be changed.
   */
  synchronized byte[] encoded() {
    if (encoded == null) {
      byte[] content = texts.toByteArray();
      encoded = new byte[Short.BYTES + content.length];
      encoded[0] = (byte) (count >> Byte.SIZE);
      encoded[1] = (byte) count;
      System.arraycopy(content, 0, encoded, Short.BYTES, content.length);
    }
    return encoded;
  }

  private synchronized int add(String text) {
    if (count == MOST) {
      throw new LinkStoreException("too many types of links and nodes: limit=" + MOST);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    texts.write(bytes.length >> Byte.SIZE);
    texts.write(bytes.length);
    texts.writeBytes(bytes);
    encoded = null;
    return count++;
  }
}
