package io.bg3.server.access;

import io.bg3.server.guard.ReceiveBuffers;
import io.bg3.server.log.ClientLog;
import io.bg3.server.metrics.ServerMeters;

/** The server's settings, as the doors find them: made by whoever starts the server. */
public interface Attended {
  /** Who may come in. */
  Access access();

  /** Where it is written down what clients do wrong. */
  ClientLog clientLog();

  /** What has come in and is no request yet. */
  ReceiveBuffers receiveBuffers();

  /** How long a WebSocket may take to send its login. */
  long loginMillis();

  /** Whether it takes requests. */
  Readiness readiness();

  /** Where it is counted. */
  ServerMeters meters();
}
