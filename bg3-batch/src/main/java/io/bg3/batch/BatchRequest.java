package io.bg3.batch;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * Operations for one request. The calls of {@link BatchOperations} append them; the n-th answer of
 * the response belongs to the n-th operation. Operations of a request are independent: each that
 * writes is a commit of its own, and one that fails leaves the others alone.
 *
 * <p>A server refuses messages above its limit on the length of a request (1 MiB by default). If a
 * request fails as a whole, the client does not know which of its writes were done.
 *
 * <p>Belongs to one thread.
 */
public final class BatchRequest implements BatchOperations {
  /** The most operations of a request. */
  public static final int MAX_OPERATIONS = 1_024;

  /** The name of the service that executes all operations. */
  public static final String SERVICE = "bg3.batch";

  /** The name of the service that executes reads only, also for users who may only read. */
  public static final String READ_SERVICE = "bg3.batch.read";

  /** The name of the services' only parameter. */
  public static final String PARAMETER = "operations";

  private static final int INITIAL_BYTES = 256;
  private static final int MOST_TARGETS = 0xffff;

  private final BatchTexts texts;
  private final BatchWriter operations = new BatchWriter(INITIAL_BYTES);
  private int[] starts = new int[4]; // where each operation begins
  private int size;
  private boolean writes;

  /**
   * An empty request with texts of its own.
   *
   * @param keys of the properties that the answers contain, besides those that its operations set
   */
  public BatchRequest(String... keys) {
    this(new BatchTexts(), keys);
  }

  /**
   * An empty request.
   *
   * @param texts shared with other requests; the answers contain the properties whose keys are
   *     among them
   * @param keys added to the texts
   */
  public BatchRequest(BatchTexts texts, String... keys) {
    this.texts = texts;
    for (String key : keys) {
      texts.number(key);
    }
  }

  @Override
  public void addLink(
      String label,
      long source,
      long target,
      long sortKey,
      boolean visible,
      BatchProperties properties) {
    add(
        OperationCode.ADD_LINK,
        label,
        () -> {
          operations.i64(source).i64(target).i64(sortKey).flag(visible);
          operations.properties(properties, texts);
        });
  }

  @Override
  public void deleteLink(String label, long source, long target, boolean expunge) {
    add(OperationCode.DELETE_LINK, label, () -> operations.i64(source).i64(target).flag(expunge));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if there are more than 65,535 targets
   */
  @Override
  public void getLinks(String label, long source, long... targets) {
    if (targets.length > MOST_TARGETS) {
      throw new IllegalArgumentException(
          "too many targets: count=" + targets.length + ", most=" + MOST_TARGETS);
    }
    add(
        OperationCode.GET_LINKS,
        label,
        () -> {
          operations.i64(source).u16(targets.length);
          for (long target : targets) {
            operations.i64(target);
          }
        });
  }

  @Override
  public void listLinks(
      String label, long source, long low, long high, boolean descending, int offset, int limit) {
    add(
        OperationCode.LIST_LINKS,
        label,
        () -> operations.i64(source).i64(low).i64(high).flag(descending).i32(offset).i32(limit));
  }

  @Override
  public void countLinks(String label, long source) {
    add(OperationCode.COUNT_LINKS, label, () -> operations.i64(source));
  }

  @Override
  public void addNode(String label, BatchProperties properties) {
    add(OperationCode.ADD_NODE, label, () -> operations.properties(properties, texts));
  }

  @Override
  public void getNode(String label, long id) {
    add(OperationCode.GET_NODE, label, () -> operations.i64(id));
  }

  @Override
  public void updateNode(String label, long id, BatchProperties properties) {
    add(
        OperationCode.UPDATE_NODE,
        label,
        () -> {
          operations.i64(id);
          operations.properties(properties, texts);
        });
  }

  @Override
  public void deleteNode(String label, long id) {
    add(OperationCode.DELETE_NODE, label, () -> operations.i64(id));
  }

  /** Appends an operation; one that cannot be encoded leaves the request as it was. */
  private void add(OperationCode code, String label, Runnable fields) {
    checkRoom();
    int start = operations.length();
    try {
      operations.u8(code.number()).u16(texts.number(label));
      fields.run();
    } catch (RuntimeException e) {
      operations.truncate(start);
      throw e;
    }
    added(start);
  }

  /**
   * Appends the operations of another request, which shares this one's texts.
   *
   * @throws IllegalArgumentException if it does not, or the request would have more than {@link
   *     #MAX_OPERATIONS}
   */
  public void addAll(BatchRequest other) {
    for (int i = 0; i < other.size; i++) {
      add(other, i);
    }
  }

  /** A request with the operations at these indexes, which shares this one's texts. */
  public BatchRequest only(int... indexes) {
    BatchRequest request = new BatchRequest(texts);
    for (int index : indexes) {
      request.add(this, Objects.checkIndex(index, size));
    }
    return request;
  }

  private void add(BatchRequest other, int index) {
    if (other.texts != texts) {
      throw new IllegalArgumentException("the requests do not share their texts");
    }
    checkRoom();
    int start = operations.length();
    int end = index + 1 < other.size ? other.starts[index + 1] : other.operations.length();
    operations.add(other.operations, other.starts[index], end);
    added(start);
  }

  private void checkRoom() {
    if (size == MAX_OPERATIONS) {
      throw new IllegalArgumentException("too many operations: most=" + MAX_OPERATIONS);
    }
  }

  private void added(int start) {
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, 2 * size);
    }
    starts[size] = start;
    size++;
    writes |= operations.codeAt(start).writes();
  }

  /** The number of operations. */
  public int size() {
    return size;
  }

  /** The number of bytes of the operations; the texts come on top. */
  public int bytes() {
    return operations.length();
  }

  /** Whether one of the operations writes. */
  public boolean writes() {
    return writes;
  }

  /** The service to call: {@link #SERVICE} if an operation writes, else {@link #READ_SERVICE}. */
  public String service() {
    return writes ? SERVICE : READ_SERVICE;
  }

  /** The parameters of the service. */
  public Map<Object, Object> parameters() {
    return Map.of(PARAMETER, toBuffer());
  }

  /** The bytes of the request, whole from 0 to the capacity of the buffer. */
  public ByteBuffer toBuffer() {
    byte[] names = texts.encoded();
    return ByteBuffer.wrap(
        new BatchWriter(1 + names.length + Short.BYTES + operations.length())
            .u8(BatchWriter.VERSION)
            .bytes(names)
            .u16(size)
            .add(operations)
            .toArray());
  }

  /**
   * Reads the response to this request.
   *
   * @param answer the only result of the service, from its position to its limit, which stay
   * @throws IllegalArgumentException if it is no response to this request
   */
  public BatchResponse response(ByteBuffer answer) {
    return BatchResponse.read(answer, size, texts);
  }
}
