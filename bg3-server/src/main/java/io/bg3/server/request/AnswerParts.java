package io.bg3.server.request;

import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.guard.ResultWeight;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.handler.Frame;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * Divides the results of a large message into several messages. TinkerPop makes messages by the
 * number of results, whatever their size, so 64 large results would be one message that is in
 * memory as a whole, once for each client that does not read it.
 *
 * <p>A serializer calls this class in the thread that runs the query. The thread writes all parts
 * but the last one itself, each as soon as the client reads, and TinkerPop writes the last part.
 *
 * <p>Threads: any; without state.
 */
public final class AnswerParts {
  /** Makes a message of a part of the results: bytes or a text. */
  @FunctionalInterface
  public interface Serializer {
    /** Serializes one message. */
    Object serialize(ResponseMessage part) throws SerializationException;
  }

  private AnswerParts() {}

  /**
   * Writes all parts of a response but the last one.
   *
   * @return the last part, or the response itself if it is not large
   * @throws TraversalInterruptedException if the request was told to end, or its connection is
   *     closed
   */
  public static ResponseMessage last(ResponseMessage response, Serializer serializer)
      throws SerializationException {
    Optional<RunningRequest> running =
        RunningRequest.current().filter(RunningRequest::hasLargeResults);
    if (running.isEmpty() || !(response.getResult().getData() instanceof List<?> results)) {
      return response;
    }
    if (running.get().isQuick()) { // an event loop waits for no client
      running.get().leaveToWorker();
      throw new TraversalInterruptedException();
    }
    RequestContext context = context(running.get());
    if (context == null) {
      return response;
    }
    Channel channel = context.getChannelHandlerContext().channel();
    int begin = 0;
    long weight = 0;
    for (int i = 0; i < results.size(); i++) {
      long added = ResultWeight.of(results.get(i));
      if (i > begin && weight + added > ResultWeight.MESSAGE) {
        awaitWritable(channel);
        ResponseMessage part =
            ResponseMessage.build(response.getRequestId())
                .code(ResponseStatusCode.PARTIAL_CONTENT)
                .responseMetaData(response.getResult().getMeta())
                .result(results.subList(begin, i))
                .create();
        context.writeAndFlush(
            ResponseStatusCode.PARTIAL_CONTENT, new Frame(serializer.serialize(part)));
        begin = i;
        weight = 0;
      }
      weight += added;
    }
    if (begin == 0) {
      return response;
    }
    awaitWritable(channel);
    return ResponseMessage.build(response.getRequestId())
        .code(response.getStatus().getCode())
        .statusAttributes(response.getStatus().getAttributes())
        .responseMetaData(response.getResult().getMeta())
        .result(results.subList(begin, results.size()))
        .create();
  }

  private static RequestContext context(RunningRequest running) {
    if (running.scheduled() instanceof QueuedRequest request) {
      return request.answer();
    }
    return running.scheduled() instanceof SessionRequests.InSession request
        ? request.request()
        : null;
  }

  private static void awaitWritable(Channel channel) {
    try {
      if (!ClientReads.await(channel)) {
        throw new TraversalInterruptedException();
      }
    } catch (InterruptedException e) {
      throw new TraversalInterruptedException();
    }
  }
}
