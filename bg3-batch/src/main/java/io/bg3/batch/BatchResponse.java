package io.bg3.batch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The answers to the operations of a {@link BatchRequest}, in their order.
 *
 * <p>Threads: any.
 */
public final class BatchResponse {
  private static final int LEAST_ANSWER = 1 + Integer.BYTES;

  private final List<BatchAnswer> answers;

  private BatchResponse(List<BatchAnswer> answers) {
    this.answers = answers;
  }

  /**
   * Reads a response.
   *
   * @param expected the number of operations of the request
   * @param texts those of the request
   * @throws IllegalArgumentException if it is no response to such a request
   */
  static BatchResponse read(ByteBuffer bytes, int expected, BatchTexts texts) {
    return new BatchResponse(
        BatchReader.whole(
            new BatchReader(bytes),
            reader -> {
              reader.version();
              int count = reader.count(reader.u16(), LEAST_ANSWER);
              if (count != expected) {
                throw new IllegalArgumentException(
                    "not the response to this request: answers="
                        + count
                        + ", operations="
                        + expected);
              }
              List<BatchAnswer> answers = new ArrayList<>(count);
              for (int i = 0; i < count; i++) {
                AnswerStatus status = AnswerStatus.of(reader.u8());
                answers.add(new BatchAnswer(status, reader.part(reader.i32()), texts));
              }
              return answers;
            }));
  }

  /** The number of answers, which is that of the operations. */
  public int size() {
    return answers.size();
  }

  /** The answer to the operation at an index from 0. */
  public BatchAnswer answer(int index) {
    return answers.get(index);
  }

  /**
   * The indexes of the operations that the server has {@link AnswerStatus#DEFERRED deferred}, for
   * {@link BatchRequest#only}; empty if there are none.
   */
  public int[] deferred() {
    return IntStream.range(0, size())
        .filter(i -> answers.get(i).status() == AnswerStatus.DEFERRED)
        .toArray();
  }
}
