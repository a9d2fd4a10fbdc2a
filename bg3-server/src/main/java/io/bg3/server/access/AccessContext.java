package io.bg3.server.access;

import io.bg3.server.connection.ReceiveBuffers;
import io.bg3.server.log.ClientLog;
import io.bg3.server.metrics.ServerMeters;

/**
 * The services that the channelizers of a server need. The server passes them through its TinkerPop
 * settings object, because TinkerPop creates the channelizers by reflection.
 */
public interface AccessContext {
  /** How clients log in and what browsers may send. */
  Access access();

  /** The log of client errors. */
  ClientLog clientLog();

  /** The memory of the bytes received for messages that are not yet complete. */
  ReceiveBuffers receiveBuffers();

  /** The longest time that a WebSocket client takes to log in, in milliseconds. */
  long loginMillis();

  /** Whether the server accepts requests. */
  Readiness readiness();

  /** The metrics of requests and responses. */
  ServerMeters meters();
}
