package io.bg3.server.request;

import io.bg3.server.answer.Refusal;

/** Lets a message be decoded if there is memory for what it becomes. */
public interface DecodeBudget {
  /**
   * Takes memory, which is given back when the request has ended.
   *
   * @param bytes that the message takes when it is decoded, estimated
   * @throws Refusal if there is not so much left
   */
  void take(long bytes) throws Refusal;
}
