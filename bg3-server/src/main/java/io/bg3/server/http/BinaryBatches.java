package io.bg3.server.http;

import io.bg3.server.request.AnswerParts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.util.List;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * Writes a query's results as one GraphBinary response over HTTP. The query's thread serializes
 * each batch as a message of its own; {@link #add} joins the elements of the batches to one
 * message, because an HTTP client reads a single one:
 *
 * <pre>
 *  version, request id, status, message, attributes, meta   equal in all batches but for the status
 *  type and flag of a list
 *  count                                                    4 bytes
 *  elements
 * </pre>
 *
 * <p>The count precedes the elements, so the response stays in memory until its last batch.
 *
 * <p>The size is checked when a batch is serialized, so a query whose response is too large fails
 * before its transaction commits.
 *
 * <p>Threads: the query's thread serializes batches; the event loop calls all other methods. An
 * instance belongs to one request.
 */
final class BinaryBatches extends GraphBinaryMessageSerializerV1 {
  static final String TYPE = "application/vnd.graphbinary-v1.0";

  /**
   * The largest response, in bytes. The server streams JSON responses, which have no such limit.
   */
  static final int MOST = 4 << 20;

  private static final int STATUS_AT = 1 + 1 + 2 * Long.BYTES; // version, flag, request id

  static final String TOO_LARGE =
      "the answer is too large for GraphBinary by HTTP, ask for JSON or use a WebSocket: limit="
          + MOST;

  private CompositeByteBuf elements;
  private long serialised; // bytes so far; only the query's thread uses it
  private int count;

  @Override
  public ByteBuf serializeResponseAsBinary(ResponseMessage response, ByteBufAllocator allocator)
      throws SerializationException {
    return batch(AnswerParts.last(response, part -> batch(part, allocator)), allocator);
  }

  private ByteBuf batch(ResponseMessage response, ByteBufAllocator allocator)
      throws SerializationException {
    ByteBuf batch =
        super.serializeResponseAsBinary(
            ResponseMessage.build(response.getRequestId())
                .code(response.getStatus().getCode())
                .result(response.getResult().getData())
                .create(),
            allocator);
    serialised += batch.readableBytes();
    if (serialised > MOST) { // checked before the commit
      batch.release();
      throw new SerializationException(TOO_LARGE);
    }
    return batch;
  }

  /** Whether a batch is the last of its query. */
  static boolean isLast(ByteBuf batch) {
    return batch.getInt(batch.readerIndex() + STATUS_AT) == ResponseStatusCode.SUCCESS.getValue();
  }

  /**
   * Adds a batch and takes over its reference; returns whether the response is within the limit.
   */
  boolean add(UUID request, ByteBuf batch, ByteBufAllocator allocator) {
    if (elements == null) {
      elements = allocator.compositeBuffer(Integer.MAX_VALUE);
    }
    int head = head(request, allocator).length;
    count += batch.getInt(batch.readerIndex() + head - Integer.BYTES);
    elements.addComponent(true, batch.skipBytes(head));
    return elements.readableBytes() <= MOST;
  }

  /** Bytes of the elements that were added. */
  int size() {
    return elements == null ? 0 : elements.readableBytes();
  }

  /** Returns the whole response, without elements if no batch was added. The caller owns it. */
  ByteBuf take(UUID request, ByteBufAllocator allocator) {
    byte[] head = head(request, allocator);
    ByteBuf start = allocator.buffer(head.length);
    start.writeBytes(head, 0, head.length - Integer.BYTES).writeInt(count);
    ByteBuf all = start;
    if (elements != null) {
      all = allocator.compositeBuffer(2).addComponent(true, start).addComponent(true, elements);
    }
    elements = null;
    count = 0;
    return all;
  }

  /** Releases the batches that were added. */
  void release() {
    if (elements != null) {
      elements.release();
      elements = null;
    }
    count = 0;
  }

  /** The bytes before the elements, the count included. */
  private byte[] head(UUID request, ByteBufAllocator allocator) {
    ResponseMessage empty =
        ResponseMessage.build(request).code(ResponseStatusCode.SUCCESS).result(List.of()).create();
    ByteBuf message = null;
    try {
      message = super.serializeResponseAsBinary(empty, allocator);
      byte[] head = new byte[message.readableBytes()];
      message.readBytes(head);
      return head;
    } catch (SerializationException e) {
      throw new IllegalStateException("an empty answer cannot be written", e);
    } finally {
      if (message != null) {
        message.release();
      }
    }
  }
}
