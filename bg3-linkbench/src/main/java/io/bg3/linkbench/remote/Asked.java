package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.LinkStoreException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * An operation that its thread waits for: the bytes of the question, and later those of the answer
 * or what was wrong.
 */
final class Asked {
  private final byte[] question;
  private final Thread asker = Thread.currentThread();
  private ByteBuffer answer; // written before done
  private LinkStoreException problem; // written before done
  private boolean alone; // of the request it is in
  private volatile boolean done;

  Asked(byte[] question) {
    this.question = question;
  }

  byte[] question() {
    return question;
  }

  /** Whether it did not fit with others and has to be sent by itself. */
  boolean isAlone() {
    return alone;
  }

  void sendAlone() {
    alone = true;
  }

  void answered(ByteBuffer bytes) {
    answer = bytes;
    done = true;
    LockSupport.unpark(asker);
  }

  /** Does nothing if it is answered. */
  void failed(LinkStoreException failure) {
    if (!done) {
      problem = failure;
      done = true;
      LockSupport.unpark(asker);
    }
  }

  /**
   * Waits for the answer.
   *
   * @throws LinkStoreException if there is none
   */
  ByteBuffer await() {
    while (!done) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new LinkStoreException("interrupted while an operation was under way");
      }
    }
    if (problem != null) {
      throw problem;
    }
    return answer;
  }
}
