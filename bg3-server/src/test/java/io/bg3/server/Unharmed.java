package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * The conditions that a server meets after any attack: no thread works, no file was made or read,
 * the heap is no larger, and an ordinary client is answered.
 */
final class Unharmed {
  private static final long PATIENCE_NANOS = 180_000_000_000L;
  private static final long HEAP_BYTES = 64L << 20;

  /** The threads of a server that work for its clients. */
  private static final String WORKERS =
      "bg3-query-.*|bg3-judge-.*|session-\\d+|gremlin-server-worker-.*";

  private final Path directory;
  private final GraphTraversalSource g;
  private final long heap;

  /**
   * @param directory for canaries
   */
  Unharmed(Path directory, GraphTraversalSource g) throws Exception {
    this.directory = directory;
    this.g = g;
    Files.writeString(
        toRead(), "{\"id\":{\"@type\":\"g:Int64\",\"@value\":1},\"label\":\"read\"}\n");
    assertEquals(1L, g.inject(1).count().next());
    this.heap = heap();
  }

  /** A file with a vertex in it, which nobody may read. */
  Path toRead() {
    return directory.resolve("there.json");
  }

  /** A file that nobody may write. */
  Path toWrite() {
    return directory.resolve("made.json");
  }

  void check() throws Exception {
    assertEquals(1L, g.inject(1).count().next(), "an ordinary client is answered");
    assertTrue(Files.notExists(toWrite()), "no file was made");
    assertEquals(0L, g.V().hasLabel("read").count().next(), "no file was read");
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!working().isEmpty()) {
      assertTrue(System.nanoTime() < end, () -> "threads still work: " + working());
      Thread.sleep(20);
    }
    while (heap() > heap + HEAP_BYTES) {
      assertTrue(System.nanoTime() < end, () -> "the heap has grown: before=" + heap);
      Thread.sleep(100);
    }
  }

  private static List<String> working() {
    List<String> working = new ArrayList<>();
    for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
      if (thread.getKey().getName().matches(WORKERS) && isWorking(thread.getValue())) {
        working.add(thread.getKey().getName() + " " + List.of(thread.getValue()));
      }
    }
    return working;
  }

  /** Whether a thread does anything else than wait for work: in a queue, or for a socket. */
  private static boolean isWorking(StackTraceElement[] stack) {
    return stack.length > 0
        && !stack[0].getMethodName().matches("park|epollWait.*|select.*|poll.*|wait0?|kevent.*");
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
