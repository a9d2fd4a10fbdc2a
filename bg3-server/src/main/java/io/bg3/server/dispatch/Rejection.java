package io.bg3.server.dispatch;

/** Why the scheduler does not run a request. */
public enum Rejection {
  /** More requests, or more bytes of requests, wait than the server keeps. */
  QUEUE_FULL,

  /** The request has waited for as long as a query may take. */
  WAITED_TOO_LONG,

  /** The server stops, and the request had not begun when the time for that was over. */
  STOPPING,

  /** The operating system gives the process no further thread. */
  NO_THREAD,

  /** Its user or an administrator has asked for its end while it waited. */
  KILLED
}
