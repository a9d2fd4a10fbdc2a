package io.bg3.server.request;

import io.bg3.server.dispatch.RunningRequest;
import io.netty.channel.Channel;
import java.util.List;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/** Is told of the requests that were evaluated, whether they succeeded or not. */
public interface EvaluatedRequests {
  /** Takes no note of any. */
  EvaluatedRequests NONE = all(List.of());

  /** Tells several, in their order. */
  static EvaluatedRequests all(List<EvaluatedRequests> listeners) {
    return new EvaluatedRequests() {
      @Override
      public boolean notes(long nanos) {
        return listeners.stream().anyMatch(one -> one.notes(nanos));
      }

      @Override
      public void ended(RunningRequest running, RequestMessage request, Channel channel) {
        listeners.forEach(one -> one.ended(running, request, channel));
      }
    };
  }

  /** Whether it may take note of a request that has run for no longer than that. */
  boolean notes(long nanos);

  /**
   * Takes note of a request. The thread of the request calls this behind the answer, before it
   * gives its place back.
   */
  void ended(RunningRequest running, RequestMessage request, Channel channel);
}
