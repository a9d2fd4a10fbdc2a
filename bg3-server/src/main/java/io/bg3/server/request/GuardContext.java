package io.bg3.server.request;

import io.bg3.server.answer.Admission;
import io.bg3.server.connection.ConnectionLimits;
import io.bg3.server.connection.SendBuffers;
import io.bg3.server.dispatch.Budget;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.guard.Limits;
import io.bg3.server.guard.TextParser;
import io.bg3.server.log.ClientLog;
import java.util.List;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.structure.Graph;

/** The server's settings, as the guard finds them; the code that starts the server makes them. */
public interface GuardContext {
  /** Parses the query texts of all clients. */
  TextParser textParser();

  /** The limits on what a client may ask for and take up. */
  Limits limits();

  /** How much of that one of them may take. */
  ShareLimits shares();

  /** Where it is written down what clients do wrong. */
  ClientLog clientLog();

  /** The limits on what the server keeps for one connection. */
  ConnectionLimits connectionLimits();

  /** The memory of the answers that clients have not read. */
  SendBuffers sendBuffers();

  /** Decides when requests run, and runs them. */
  Scheduler scheduler();

  /** The requests that the threads of sessions run. */
  SessionRequests sessionRequests();

  /** Processor time of the traversals that event loops run; 0 if they run none. */
  long quickNanos();

  /** Memory for requests that are decoded. */
  Budget budget();

  /** Is told of the requests that were evaluated. */
  EvaluatedRequests evaluated();

  /** Whether requests are taken. */
  Admission intake();

  /** The sessions of all connections. */
  Sessions sessions();

  /** The users of the connections that come by WebSocket. */
  ConnectionUsers callers();

  /** The graph of a name; empty if there is none, or it is about to be closed. */
  Optional<Graph> graph(String name);

  /** Whether event loops may commit to a graph. */
  boolean commitsInLoops(String name);

  /** The names of all graphs, in their order. */
  List<String> graphNames();

  /** Whether a graph offers a service of this name to {@code call()}. */
  boolean offers(String graph, String service);

  /** Whether it is known of this service of a graph that it changes nothing. */
  boolean onlyReads(String graph, String service);
}
