package io.bg3.gremlin.process.computer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntSupplier;
import org.apache.tinkerpop.gremlin.process.computer.KeyValue;
import org.apache.tinkerpop.gremlin.process.computer.MapReduce;
import org.apache.tinkerpop.gremlin.process.computer.util.ComputerGraph;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/**
 * Runs one map-reduce job over the vertices of a graph. There is no combine stage: all that is
 * emitted is in the memory of one process.
 */
final class MapReduceJob<K, V, OK, OV> {
  private final MapReduce<K, V, OK, OV, ?> job;
  private final ComputedGraph graph;
  private final Map<K, Queue<V>> grouped = new ConcurrentHashMap<>();
  private final Queue<KeyValue<K, V>> mapped = new ConcurrentLinkedQueue<>();
  private final Queue<KeyValue<OK, OV>> reduced = new ConcurrentLinkedQueue<>();
  private final boolean reduces;

  MapReduceJob(MapReduce<K, V, OK, OV, ?> job, ComputedGraph graph) {
    this.job = job;
    this.graph = graph;
    this.reduces = job.doStage(MapReduce.Stage.REDUCE);
  }

  /** Runs the job and leaves its result in the memory. */
  @SuppressWarnings("unchecked") // without a reduce stage what is mapped is the result
  void run(Workers workers, ComputerMemory memory) throws InterruptedException {
    workers.round(graph.blocks(), works(workers, this::map));
    if (!reduces) {
      Iterator<?> results = sorted(mapped, job.getMapKeySort().orElse(null)).iterator();
      job.addResultToMemory(memory, (Iterator<KeyValue<OK, OV>>) results);
      return;
    }
    List<Map.Entry<K, Queue<V>>> groups = new ArrayList<>(grouped.entrySet());
    grouped.clear();
    job.getMapKeySort()
        .ifPresent(order -> groups.sort(Comparator.comparing(Map.Entry::getKey, order)));
    Blocks each = new Blocks(groups.size(), 0);
    workers.round(each, works(workers, (own, blocks) -> reduce(own, groups, blocks)));
    job.addResultToMemory(memory, sorted(reduced, job.getReduceKeySort().orElse(null)).iterator());
  }

  private interface Stage<K, V, OK, OV> {
    void run(MapReduce<K, V, OK, OV, ?> own, IntSupplier blocks);
  }

  private List<Workers.Work> works(Workers workers, Stage<K, V, OK, OV> stage) {
    List<Workers.Work> works = new ArrayList<>();
    for (int i = 0; i < workers.count(); i++) {
      MapReduce<K, V, OK, OV, ?> own = job.clone();
      works.add(blocks -> stage.run(own, blocks));
    }
    return works;
  }

  private void map(MapReduce<K, V, OK, OV, ?> own, IntSupplier blocks) {
    MapReduce.MapEmitter<K, V> emitter = this::emit;
    own.workerStart(MapReduce.Stage.MAP);
    for (int block = blocks.getAsInt(); block >= 0; block = blocks.getAsInt()) {
      int end = graph.blocks().end(block);
      for (int number = graph.blocks().first(block); number < end; number++) {
        checkInterrupt();
        own.map(ComputerGraph.mapReduce(graph.vertex(number)), emitter);
      }
    }
    own.workerEnd(MapReduce.Stage.MAP);
  }

  private void emit(K key, V value) {
    if (reduces) {
      grouped.computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>()).add(value);
    } else {
      mapped.add(new KeyValue<>(key, value));
    }
  }

  private void reduce(
      MapReduce<K, V, OK, OV, ?> own, List<Map.Entry<K, Queue<V>>> groups, IntSupplier blocks) {
    MapReduce.ReduceEmitter<OK, OV> emitter =
        (key, value) -> reduced.add(new KeyValue<>(key, value));
    own.workerStart(MapReduce.Stage.REDUCE);
    for (int group = blocks.getAsInt(); group >= 0; group = blocks.getAsInt()) {
      checkInterrupt();
      Map.Entry<K, Queue<V>> entry = groups.get(group);
      own.reduce(entry.getKey(), entry.getValue().iterator(), emitter);
    }
    own.workerEnd(MapReduce.Stage.REDUCE);
  }

  static void checkInterrupt() {
    if (Thread.interrupted()) {
      throw new TraversalInterruptedException();
    }
  }

  private static <A, B> List<KeyValue<A, B>> sorted(
      Queue<KeyValue<A, B>> results, Comparator<A> order) {
    List<KeyValue<A, B>> all = new ArrayList<>(results);
    results.clear();
    if (order != null) {
      Collections.sort(all, Comparator.comparing(KeyValue::getKey, order));
    }
    return all;
  }
}
