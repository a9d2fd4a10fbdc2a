package io.bg3.gremlin.batch;

import io.bg3.batch.OperationCode;
import io.bg3.batch.ResponseEncoder;

/**
 * One operation of a batch. It either writes or reads, the other is null.
 *
 * @param label of the link or the node
 * @param vertex the link's source, or the node; 0 for one that is to be added
 */
record BatchOperation(OperationCode code, String label, long vertex, Write write, Read read) {
  /** Changes the store. */
  @FunctionalInterface
  interface Write {
    /** Returns what is answered, which takes as many bytes as its kind of operation says. */
    long run(BatchWrites store);
  }

  /** Asks the store. */
  @FunctionalInterface
  interface Read {
    /** Puts the answer behind what is there. */
    void run(BatchReads store, ResponseEncoder answer);
  }

  @Override
  public String toString() {
    return code + " " + label + (code == OperationCode.ADD_NODE ? "" : " " + vertex);
  }
}
