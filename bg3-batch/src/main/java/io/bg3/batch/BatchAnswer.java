package io.bg3.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answer to one operation. The method that fits the operation decodes it; {@link
 * BatchOperations} names it for each. All of them throw {@link IllegalStateException} if the
 * operation is not {@link AnswerStatus#DONE done}, and {@link IllegalArgumentException} if the
 * answer is another operation's or damaged.
 *
 * <p>Threads: any.
 */
public final class BatchAnswer {
  private static final int LEAST_LINK = 2 * Long.BYTES + 1 + Short.BYTES;

  private final AnswerStatus status;
  private final BatchReader content; // never read itself, but as parts
  private final BatchTexts texts;

  BatchAnswer(AnswerStatus status, BatchReader content, BatchTexts texts) {
    this.status = status;
    this.content = content;
    this.texts = texts;
  }

  /** The outcome of the operation. */
  public AnswerStatus status() {
    return status;
  }

  /** Why the operation has failed; empty if it has not. */
  public String problem() {
    return status == AnswerStatus.FAILED ? content.copy().utf8(content.length()) : "";
  }

  /** The count of {@code countLinks}, or the id of the node of {@code addNode}. */
  public long number() {
    return BatchReader.whole(done(), BatchReader::i64);
  }

  /** The state of the link before {@code addLink} or {@code deleteLink}. */
  public PriorState priorState() {
    return PriorState.of(number());
  }

  /** Whether {@code updateNode} or {@code deleteNode} has found the node. */
  public boolean existed() {
    return number() != 0;
  }

  /** The links of {@code getLinks} or {@code listLinks}, in their order. */
  public List<BatchLink> links() {
    return BatchReader.whole(done(), this::links);
  }

  private List<BatchLink> links(BatchReader reader) {
    int count = reader.count(reader.i32(), LEAST_LINK);
    List<BatchLink> links = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      links.add(
          new BatchLink(reader.i64(), reader.i64(), reader.flag(), reader.properties(texts::text)));
    }
    return links;
  }

  /** The properties of the node of {@code getNode}; empty if there is no such node. */
  public Optional<BatchProperties> node() {
    return BatchReader.whole(
        done(),
        reader -> reader.flag() ? Optional.of(reader.properties(texts::text)) : Optional.empty());
  }

  private BatchReader done() {
    if (status != AnswerStatus.DONE) {
      throw new IllegalStateException(
          "the operation is not done: status=" + status + ", problem=" + problem());
    }
    return content.copy();
  }

  @Override
  public String toString() {
    return status + " " + (status == AnswerStatus.FAILED ? problem() : content.length() + " bytes");
  }
}
