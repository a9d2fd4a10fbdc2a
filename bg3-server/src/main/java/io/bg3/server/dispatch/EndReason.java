package io.bg3.server.dispatch;

/** Why a request that runs is told to end. */
public enum EndReason {
  /** Its time is over. */
  TIME,

  /** It takes long, and all places for requests that take long are taken. */
  PLACES,

  /** The heap is nearly full, and the request has allocated more than the others. */
  HEAP,

  /** The request has allocated more than its owner may. */
  MEMORY,

  /** The server stops. */
  STOP,

  /** An administrator has dropped its graph. */
  DROPPED,

  /** The connection was closed, so no client waits for an answer. */
  GONE,

  /** Its user or an administrator has asked for its end. */
  KILLED,

  /** An event loop runs it, and has no more time for it: a worker runs it from the beginning. */
  MOMENT
}
