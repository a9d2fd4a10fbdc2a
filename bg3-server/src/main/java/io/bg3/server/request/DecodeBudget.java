package io.bg3.server.request;

import io.bg3.server.answer.Refusal;

/** Lets a message be decoded if there is memory for the values in it. */
public interface DecodeBudget {
  /**
   * Takes memory, which is given back when the request has ended.
   *
   * @param bytes that the message takes when it is decoded, estimated
   * @throws Refusal if there is not so much left
   */
  void take(long bytes) throws Refusal;

  /**
   * Gives back the memory that only reading the message has needed.
   *
   * @param bytes that the request takes from now on, estimated
   */
  void shrink(long bytes);
}
