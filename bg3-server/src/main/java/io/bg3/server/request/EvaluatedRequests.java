package io.bg3.server.request;

import io.bg3.server.dispatch.RunningRequest;
import io.netty.channel.Channel;
import java.util.List;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/** Is told of the requests that were evaluated, whether they succeeded or not. */
@FunctionalInterface
public interface EvaluatedRequests {
  /** Takes no note of any. */
  EvaluatedRequests NONE = (running, request, channel) -> {};

  /** Tells several, in their order. */
  static EvaluatedRequests all(List<EvaluatedRequests> listeners) {
    return (running, request, channel) ->
        listeners.forEach(one -> one.ended(running, request, channel));
  }

  /**
   * Takes note of a request. The thread of the request calls this behind the answer, before it
   * gives its place back.
   */
  void ended(RunningRequest running, RequestMessage request, Channel channel);
}
