package io.bg3.server.http;

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
 * Writes results in GraphBinary. A query's thread writes each batch as a message; {@link #add} puts
 * the elements of the batches into one message, since a client of HTTP reads one:
 *
 * <pre>
 *  version, request id, status, message, attributes, meta   the same in each batch but the status
 *  type and flag of a list
 *  count                                                    4 bytes
 *  elements
 * </pre>
 *
 * <p>The count stands before the elements, so an answer is held in memory until its last batch.
 *
 * <p>The size is counted where batches are written, so a query whose answer is too large fails
 * before it commits.
 *
 * <p>Threads: one instance a request; batches are written by the thread of its query.
 */
final class BinaryBatches extends GraphBinaryMessageSerializerV1 {
  static final String TYPE = "application/vnd.graphbinary-v1.0";

  /** Bytes of an answer at most; the JSON formats are sent in parts and have no such limit. */
  static final int MOST = 4 << 20;

  private static final int STATUS_AT = 1 + 1 + 2 * Long.BYTES; // version, flag, request id

  static final String TOO_LARGE =
      "the answer is too large for GraphBinary by HTTP, ask for JSON or use a WebSocket: limit="
          + MOST;

  private CompositeByteBuf elements;
  private long serialised; // by the thread of the query
  private int count;

  @Override
  public ByteBuf serializeResponseAsBinary(ResponseMessage response, ByteBufAllocator allocator)
      throws SerializationException {
    ByteBuf batch =
        super.serializeResponseAsBinary(
            ResponseMessage.build(response.getRequestId())
                .code(response.getStatus().getCode())
                .result(response.getResult().getData())
                .create(),
            allocator);
    serialised += batch.readableBytes();
    if (serialised > MOST) { // before the commit
      batch.release();
      throw new SerializationException(TOO_LARGE);
    }
    return batch;
  }

  /** Whether a batch is a query's last. */
  static boolean isLast(ByteBuf batch) {
    return batch.getInt(batch.readerIndex() + STATUS_AT) == ResponseStatusCode.SUCCESS.getValue();
  }

  /** Adds a batch, and takes it over; false if the answer is too large then. */
  boolean add(UUID request, ByteBuf batch, ByteBufAllocator allocator) {
    if (elements == null) {
      elements = allocator.compositeBuffer(Integer.MAX_VALUE);
    }
    int head = head(request, allocator).length;
    count += batch.getInt(batch.readerIndex() + head - Integer.BYTES);
    elements.addComponent(true, batch.skipBytes(head));
    return elements.readableBytes() <= MOST;
  }

  /** The whole answer, with no elements if no batch was added. */
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

  /** Gives up what was added. */
  void release() {
    if (elements != null) {
      elements.release();
      elements = null;
    }
    count = 0;
  }

  /** What stands before the elements, the count included. */
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
