package io.bg3.gremlin.process.computer;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.apache.tinkerpop.gremlin.process.computer.Memory;
import org.apache.tinkerpop.gremlin.process.computer.MemoryComputeKey;

/**
 * The memory as one worker has it in an iteration: reads what the computation's was at its
 * beginning, and keeps what the worker adds until {@link #mergeInto}. Belongs to one thread.
 */
final class WorkerMemory implements Memory.Admin {
  private final ComputerMemory memory;
  private final Map<String, MemoryComputeKey<?>> keys = new HashMap<>(); // with reducers of its own
  private final Map<String, Object> added = new HashMap<>();

  WorkerMemory(ComputerMemory memory) {
    this.memory = memory;
    memory.computeKeys().forEach((name, key) -> keys.put(name, key.clone()));
  }

  @SuppressWarnings("unchecked") // a program adds what its reducer takes
  static Object reduced(MemoryComputeKey<?> key, Object before, Object value) {
    return ((BinaryOperator<Object>) key.getReducer()).apply(before, value);
  }

  /** Gives what was added to the computation; no worker runs. */
  void mergeInto() {
    added.forEach(memory::merge);
    added.clear();
  }

  @Override
  public void add(String key, Object value) {
    MemoryComputeKey<?> known = keys.get(key);
    if (known == null) {
      memory.requireKey(key);
    }
    Object before = added.get(key);
    added.put(key, before == null ? value : reduced(known, before, value));
  }

  @Override
  public Set<String> keys() {
    return memory.keys();
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // as the interface has it
  public <R> R get(String key) {
    return memory.get(key);
  }

  @Override
  public void set(String key, Object value) {
    memory.set(key, value);
  }

  @Override
  public int getIteration() {
    return memory.getIteration();
  }

  @Override
  public void setIteration(int iteration) {
    memory.setIteration(iteration);
  }

  @Override
  public long getRuntime() {
    return memory.getRuntime();
  }

  @Override
  public void setRuntime(long runtime) {
    memory.setRuntime(runtime);
  }

  @Override
  public String toString() {
    return memory.toString();
  }
}
