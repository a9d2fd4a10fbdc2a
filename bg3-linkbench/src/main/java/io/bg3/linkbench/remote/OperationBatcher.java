package io.bg3.linkbench.remote;

import io.bg3.batch.BatchAnswer;
import io.bg3.batch.BatchRequest;
import io.bg3.batch.BatchTexts;
import io.bg3.linkbench.model.LinkStoreException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sends operations of several sessions in one request. While requests are under way, what is asked
 * meanwhile gathers; it is sent when there is one request's share of those who ask at the same
 * time, or when all of them have asked, or when nothing is under way any more. So nobody waits for
 * a time to pass, and a session that is alone does not wait at all.
 *
 * <p>Threads: any. There is none besides those that ask: a thread that completes a request's share,
 * or finishes one, sends it, and one of those whose operations are in it waits for the answer on
 * the socket. So a session that is alone goes to the server and back without another thread.
 */
final class OperationBatcher implements AutoCloseable {
  private static final int MOST_BYTES = 1 << 19; // half of what a server takes by default
  private static final int REMEMBERED = 32; // requests

  private final String service;
  private final BatchTexts texts;
  private final int most;
  private final int slots;
  private final List<ServerConnection> connections; // one for each slot
  private final Deque<ServerConnection> free; // guarded by this, as what follows
  private final Deque<PendingOperation> waiting = new ArrayDeque<>();
  private int operations; // of the requests under way
  private long sent; // requests
  private int crowd; // sessions that ask at the same time, as far as has been seen lately

  /**
   * @param service what does the operations
   * @param most operations in a request
   * @param slots requests that may be under way at once, each on a connection of its own
   */
  OperationBatcher(Endpoint endpoint, String service, BatchTexts texts, int most, int slots) {
    this.service = service;
    this.texts = texts;
    this.most = most;
    this.slots = slots;
    this.connections = Stream.generate(() -> new ServerConnection(endpoint)).limit(slots).toList();
    this.free = new ArrayDeque<>(connections);
  }

  /**
   * Has an operation done.
   *
   * @param request of this operation alone, with the texts that all requests share
   * @return the answer of the service to it
   * @throws LinkStoreException if it was not done
   */
  BatchAnswer ask(BatchRequest request) {
    PendingOperation operation = new PendingOperation(request);
    synchronized (this) {
      waiting.add(operation);
    }
    sendAll(operation);
    return operation.await();
  }

  /**
   * Sends what is to be sent.
   *
   * @param own of the calling thread
   */
  private void sendAll(PendingOperation own) {
    for (SharedRequest request = next(); request != null; request = next()) {
      try {
        request.send(service, texts);
      } catch (IOException | RuntimeException | Error e) { // others wait for it
        request.failed(ServiceClient.failed(service, e));
        end(request, List.of());
        continue;
      }
      SharedRequest under = request;
      PendingOperation reader = under.operations().contains(own) ? own : under.operations().get(0);
      reader.give(() -> finish(under, reader));
    }
  }

  /** The request that is to be sent now; null if there is none. */
  private synchronized SharedRequest next() {
    int present = waiting.size() + operations;
    crowd = Math.max(crowd, present);
    int share = Math.min(most, (crowd + slots - 1) / slots);
    boolean moreMayCome = waiting.size() < share && present < crowd;
    if (waiting.isEmpty() || free.isEmpty() || (free.size() < slots && moreMayCome)) {
      return null;
    }
    List<PendingOperation> request = new ArrayList<>(share);
    int bytes = 0;
    do {
      bytes += waiting.peek().request().bytes();
      request.add(waiting.poll());
    } while (request.size() < share && goesWith(request.get(0), bytes));
    operations += request.size();
    sent++;
    if (sent % REMEMBERED == 0) {
      crowd--; // a thread that does not come back is forgotten in time
    }
    return new SharedRequest(free.pop(), request); // the one that was used last
  }

  /** Whether there is another that may be in a request of so many bytes. */
  private boolean goesWith(PendingOperation first, int bytes) {
    PendingOperation next = waiting.peek();
    return next != null
        && !first.isAlone()
        && !next.isAlone()
        && bytes + next.request().bytes() <= MOST_BYTES;
  }

  /** Waits for the answer, and sends what has gathered meanwhile. */
  private void finish(SharedRequest request, PendingOperation own) {
    List<PendingOperation> again = List.of();
    try {
      again = request.receive();
    } catch (IOException | RuntimeException | Error e) { // nobody else would tell the others
      request.failed(ServiceClient.failed(service, e));
    } finally {
      end(request, again);
      sendAll(own);
    }
  }

  private synchronized void end(SharedRequest request, List<PendingOperation> again) {
    operations -= request.operations().size();
    again.forEach(waiting::addFirst);
    free.push(request.connection());
  }

  /** Ends the connections on which nothing has come for so many nanoseconds. */
  void hangUpAfter(long nanos) {
    connections.forEach(connection -> connection.hangUpAfter(nanos));
  }

  @Override
  public void close() {
    connections.forEach(ServerConnection::close);
  }
}
