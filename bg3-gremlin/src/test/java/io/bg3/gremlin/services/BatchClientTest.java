package io.bg3.gremlin.services;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.batch.AnswerStatus;
import io.bg3.batch.BatchLink;
import io.bg3.batch.BatchProperties;
import io.bg3.batch.BatchRequest;
import io.bg3.batch.BatchResponse;
import io.bg3.batch.BatchTexts;
import io.bg3.batch.PriorState;
import io.bg3.core.limit.Limit;
import io.bg3.gremlin.batch.BatchGraph;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The services for batches, asked by the classes that a Java client uses. */
class BatchClientTest {
  private BatchGraph batches;
  private GraphTraversalSource g;

  @BeforeEach
  void open() {
    batches = new BatchGraph();
    g = batches.traversal();
  }

  @AfterEach
  void close() {
    batches.close();
  }

  private BatchResponse send(BatchRequest request) {
    return request.response((ByteBuffer) g.call(request.service(), request.parameters()).next());
  }

  private static BatchProperties name(String name) {
    return BatchProperties.of(Map.of("name", name));
  }

  @Test
  void operationsAreAnsweredInTheirOrder() {
    BatchRequest writes = new BatchRequest();
    writes.addLink("likes", 1, 5, 500, true, name("five"));
    writes.addLink("likes", 1, 6, 600, true, name("six"));
    writes.deleteLink("likes", 1, 6, false);
    writes.addLink("never declared", 1, 6, 600, true, name("six"));
    writes.addNode("person", name("Ada"));
    writes.updateNode("person", 1, name("Ada L."));
    writes.deleteNode("person", 77);
    BatchResponse written = send(writes);
    assertEquals(PriorState.ABSENT, written.answer(0).priorState());
    assertEquals(PriorState.VISIBLE, written.answer(2).priorState());
    assertEquals(AnswerStatus.FAILED, written.answer(3).status());
    assertTrue(written.answer(3).problem().contains("not declared"), written.answer(3).toString());
    assertEquals(1, written.answer(4).number());
    assertTrue(written.answer(5).existed());
    assertFalse(written.answer(6).existed());

    BatchRequest reads = new BatchRequest("name");
    reads.getLinks("likes", 1, 5, 6, 7);
    reads.listLinks("likes", 1, 0, 1_000, true, 0, 10);
    reads.countLinks("likes", 1);
    reads.getNode("person", 1);
    reads.getNode("person", 77);
    BatchResponse read = send(reads);
    assertEquals(List.of(5L, 6L), targets(read, 0));
    assertEquals(List.of(5L), targets(read, 1));
    assertEquals("five", read.answer(1).links().get(0).properties().get("name"));
    assertEquals(1, read.answer(2).number());
    assertEquals("Ada L.", read.answer(3).node().orElseThrow().get("name"));
    assertEquals(Optional.empty(), read.answer(4).node());
  }

  private static List<Long> targets(BatchResponse response, int index) {
    return response.answer(index).links().stream().map(BatchLink::target).toList();
  }

  @Test
  void aReadThatWasDeferredIsSentAgain() {
    BatchRequest large = new BatchRequest();
    String name = "x".repeat(1 << 20);
    for (long target = 0; target < 7; target++) {
      large.addLink("likes", 1, target, target, true, name(name));
    }
    send(large);
    BatchRequest reads = new BatchRequest("name");
    reads.countLinks("likes", 1);
    for (int i = 0; i < 3; i++) {
      reads.listLinks("likes", 1, 0, 10, true, 0, 10);
    }
    int requests = 0;
    int lists = 0;
    while (reads.size() > 0) {
      BatchResponse response = send(reads);
      int[] deferred = response.deferred();
      assertTrue(deferred.length < reads.size(), "a request makes progress");
      lists += reads.size() - deferred.length;
      reads = reads.only(deferred);
      requests++;
    }
    assertEquals(3, requests);
    assertEquals(4, lists, "with the count");
  }

  @Test
  void theClientKnowsTheLimitsOfTheServer() {
    assertEquals(Limit.BATCH_OPERATIONS.most(), BatchRequest.MAX_OPERATIONS);
    assertEquals(Limit.NAME_BYTES.most(), BatchTexts.MAX_BYTES);
    assertArrayEquals(new int[0], send(new BatchRequest()).deferred());
  }
}
