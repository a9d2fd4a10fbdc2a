package io.bg3.gremlin.batch;

import io.bg3.batch.AnswerStatus;
import io.bg3.batch.BatchFullException;
import io.bg3.batch.RequestDecoder;
import io.bg3.batch.ResponseEncoder;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.graph.DenseVertexIds;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.GraphUpdates;
import io.bg3.core.limit.Limit;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/**
 * Operations that came in one message, each as independent of the others as if it had come alone:
 * one that fails is answered by its error and the others are done; one that writes is a commit of
 * its own, and the commits share what they wait for. All that only read see one snapshot, which
 * includes whatever was answered before the message was sent.
 *
 * <p>Belongs to one thread.
 */
public final class Batch {
  /** The most operations of a message. */
  public static final int MOST_OPERATIONS = (int) Limit.BATCH_OPERATIONS.most();

  /** The most bytes of an answer; what does not fit is put off, and has to be asked for again. */
  public static final int MOST_ANSWERED = 8 << 20;

  /** The least room for the answer of each operation of a batch, an error's text included. */
  private static final int KEPT = 1_024;

  private static final int LONGEST_PROBLEM = 200;

  private final List<BatchOperation> operations;
  private final String[] texts;

  private Batch(List<BatchOperation> operations, String[] texts) {
    this.operations = operations;
    this.texts = texts;
  }

  /**
   * Reads a message.
   *
   * @param message from its position to its limit, which stay
   * @throws IllegalArgumentException if it is none, and why
   */
  public static Batch read(ByteBuffer message) {
    RequestDecoder decoder =
        new RequestDecoder(message, Limit.NAME_BYTES::check, Limit.BATCH_OPERATIONS::check);
    StoreOperations collected = new StoreOperations();
    decoder.read(collected);
    return new Batch(collected.operations(), decoder.texts());
  }

  /** Whether one of the operations writes. */
  public boolean writes() {
    return operations.stream().anyMatch(operation -> operation.code().writes());
  }

  /**
   * The operations, for people: what is done to which label and vertex.
   *
   * @param most characters after which no other operation is begun; a message may mean one long
   *     label by each of its operations
   */
  public String describe(int most) {
    StringBuilder text = new StringBuilder("[");
    String separator = "";
    for (BatchOperation operation : operations) {
      text.append(separator);
      if (text.length() >= most) {
        text.append("...");
        break;
      }
      text.append(operation);
      separator = ", ";
    }
    return text.append(']').toString();
  }

  /**
   * Does all operations.
   *
   * @param ids gives nodes their ids
   * @param reader lets a question be asked in a transaction, as newest as there is
   * @param between called now and then; throws {@link TraversalInterruptedException} if nobody
   *     waits for the answer any more
   * @return the answers, when all that was written or seen in an update is as durable as the store
   *     promises
   * @throws OutcomeUnknownException if the store fails, or {@link StoreFailedException}; then it is
   *     not known of any writing operation whether it was done
   */
  public ByteBuffer run(
      GraphStore store,
      Function<GraphStore, DenseVertexIds> ids,
      Consumer<Consumer<GraphTransaction>> reader,
      Runnable between) {
    long[] done = new long[operations.size()];
    String[] problems = new String[operations.size()];
    GraphUpdates updates = store.updates();
    ResponseEncoder answer =
        new ResponseEncoder(operations.size(), MOST_ANSWERED + operations.size() * KEPT);
    try {
      write(new BatchWrites(store, updates, ids, between), done, problems, between);
      if (operations.stream().allMatch(operation -> operation.code().writes())) {
        answer(null, answer, done, problems, between);
      } else {
        reader.accept(
            transaction ->
                answer(
                    new BatchReads(store, transaction, texts, between),
                    answer,
                    done,
                    problems,
                    between));
      }
    } finally {
      updates.await(); // for a caller that is told of an interrupt, too: what was done is there to
      // stay
    }
    return answer.toBuffer();
  }

  private void write(BatchWrites store, long[] done, String[] problems, Runnable between) {
    for (int i = 0; i < done.length; i++) {
      BatchOperation operation = operations.get(i);
      if (operation.code().writes()) {
        between.run();
        try {
          done[i] = operation.write().run(store);
        } catch (OutcomeUnknownException | StoreFailedException | TraversalInterruptedException e) {
          throw e;
        } catch (RuntimeException e) {
          problems[i] = problem(e);
        }
      }
    }
  }

  private void answer(
      BatchReads store, ResponseEncoder answer, long[] done, String[] problems, Runnable between) {
    boolean full = false;
    for (int i = 0; i < done.length; i++) {
      BatchOperation operation = operations.get(i);
      if (problems[i] != null) {
        answer.begin(AnswerStatus.FAILED).problem(problems[i]).end();
      } else if (operation.code().writes()) {
        answer.begin(AnswerStatus.DONE).number(done[i]).end();
      } else if (full) {
        answer.begin(AnswerStatus.DEFERRED).end();
      } else {
        between.run();
        full = !read(operation, store, answer);
      }
    }
  }

  /** Whether there was room for what was read. */
  private static boolean read(BatchOperation operation, BatchReads store, ResponseEncoder answer) {
    try {
      operation.read().run(store, answer.begin(AnswerStatus.DONE));
      if (answer.end() <= MOST_ANSWERED) {
        return true;
      }
    } catch (BatchFullException e) {
      // below
    } catch (TraversalInterruptedException e) {
      throw e;
    } catch (RuntimeException e) {
      answer.again(AnswerStatus.FAILED).problem(problem(e)).end();
      return true;
    }
    answer.again(AnswerStatus.DEFERRED).end();
    return false;
  }

  private static String problem(RuntimeException failure) {
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return text.length() > LONGEST_PROBLEM ? text.substring(0, LONGEST_PROBLEM) : text;
  }
}
