package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.LinkStoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Sends operations of several sessions in one request. While requests are under way, what is asked
 * meanwhile gathers; it is sent when there is one request's share of those who ask at the same
 * time, or when all of them have asked, or when nothing is under way any more. So nobody waits for
 * a time to pass, and a session that is alone does not wait at all.
 *
 * <p>Threads: any; whoever completes a request's share, or finishes one, sends it.
 */
final class Gatherer {
  private static final int VERSION = 1;
  private static final int MOST_BYTES = 1 << 19; // half of what a server takes by default
  private static final int REMEMBERED = 32; // requests
  private static final int DONE = 0;
  private static final int PUT_OFF = 2;

  private final Server server;
  private final String service;
  private final Texts texts;
  private final int most;
  private final int slots;
  private final Deque<Asked> waiting = new ArrayDeque<>(); // guarded by this, as what follows
  private int underWay;
  private int operations; // of the requests under way
  private long sent; // requests
  private boolean sending; // somebody is, and looks again before he ends
  private int crowd; // those who ask at the same time, as far as has been seen lately

  /**
   * @param service what does the operations
   * @param most operations in a request
   * @param slots requests that may be under way at once
   */
  Gatherer(Server server, String service, Texts texts, int most, int slots) {
    this.server = server;
    this.service = service;
    this.texts = texts;
    this.most = most;
    this.slots = slots;
  }

  /**
   * Has an operation done.
   *
   * @return the bytes that the service answers for it
   * @throws LinkStoreException if it was not done
   */
  ByteBuffer ask(byte[] question) {
    Asked asked = new Asked(question);
    synchronized (this) {
      waiting.add(asked);
    }
    sendAll();
    return asked.await();
  }

  /**
   * Sends what is to be sent. A request that fails at once is finished in here: that does not send
   * what is asked again, or a server that is gone would bury this one deeper with each request.
   */
  private void sendAll() {
    synchronized (this) {
      if (sending) {
        return;
      }
      sending = true;
    }
    for (List<Asked> request = next(); !request.isEmpty(); request = next()) {
      send(request);
    }
  }

  /** What is to be sent now; empty if nothing is, and then nobody is sending any more. */
  private synchronized List<Asked> next() {
    List<Asked> request = gathered();
    sending = !request.isEmpty();
    return request;
  }

  private List<Asked> gathered() {
    int present = waiting.size() + operations;
    crowd = Math.max(crowd, present);
    int share = Math.min(most, (crowd + slots - 1) / slots);
    boolean moreMayCome = waiting.size() < share && present < crowd;
    if (waiting.isEmpty() || underWay == slots || (underWay > 0 && moreMayCome)) {
      return List.of();
    }
    List<Asked> request = new ArrayList<>(share);
    int bytes = 0;
    do {
      bytes += waiting.peek().question().length;
      request.add(waiting.poll());
    } while (request.size() < share && goesWith(request.get(0), bytes));
    underWay++;
    operations += request.size();
    sent++;
    if (sent % REMEMBERED == 0) {
      crowd--; // who does not come back is forgotten in time
    }
    return request;
  }

  /** Whether there is another that may be in a request of so many bytes. */
  private boolean goesWith(Asked first, int bytes) {
    Asked next = waiting.peek();
    return next != null
        && !first.isAlone()
        && !next.isAlone()
        && bytes + next.question().length <= MOST_BYTES;
  }

  private void send(List<Asked> request) {
    CompletableFuture<List<Object>> answer;
    try {
      answer = server.start(service, Map.of("operations", message(request)));
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<?> unused = // whoever asked is told
        answer.whenComplete((answers, failure) -> finish(request, answers, failure));
  }

  private ByteBuffer message(List<Asked> request) {
    byte[] names = texts.encoded();
    int length = 1 + names.length + Short.BYTES;
    for (Asked asked : request) {
      length += asked.question().length;
    }
    ByteBuffer message = ByteBuffer.allocate(length);
    message.put((byte) VERSION).put(names).putShort((short) request.size());
    for (Asked asked : request) {
      message.put(asked.question());
    }
    return message.flip();
  }

  private void finish(List<Asked> request, List<Object> answers, Throwable failure) {
    List<Asked> again = List.of();
    try {
      if (failure != null) {
        throw Server.failed(service, failure);
      }
      again = distribute(request, (ByteBuffer) answers.get(0));
    } catch (RuntimeException e) {
      LinkStoreException problem =
          e instanceof LinkStoreException known
              ? known
              : new LinkStoreException("the server's answer cannot be read: " + e, e);
      request.forEach(asked -> asked.failed(problem));
    } finally {
      synchronized (this) {
        underWay--;
        operations -= request.size();
        again.forEach(waiting::addFirst);
      }
      sendAll();
    }
  }

  /** Hands out the answers, and returns what has to be asked again. */
  private static List<Asked> distribute(List<Asked> request, ByteBuffer answer) {
    int version = answer.get();
    int count = answer.getShort();
    if (version != VERSION || count != request.size()) {
      throw new LinkStoreException(
          "the server's answer is not to what was asked: version="
              + version
              + ", answers="
              + count
              + ", operations="
              + request.size());
    }
    List<Asked> again = new ArrayList<>(0);
    for (Asked asked : request) {
      int status = answer.get();
      ByteBuffer content = answer.slice(answer.position() + Integer.BYTES, answer.getInt());
      answer.position(answer.position() + content.remaining());
      if (status == DONE) {
        asked.answered(content);
      } else if (status == PUT_OFF && !asked.isAlone()) {
        asked.sendAlone();
        again.add(asked);
      } else {
        asked.failed(
            new LinkStoreException(
                status == PUT_OFF
                    ? "the answer is larger than the server gives at once: ask for less"
                    : "the server did not do it: " + StandardCharsets.UTF_8.decode(content)));
      }
    }
    return again;
  }
}
