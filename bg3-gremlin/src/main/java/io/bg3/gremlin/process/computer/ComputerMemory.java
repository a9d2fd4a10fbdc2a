package io.bg3.gremlin.process.computer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.MapReduce;
import org.apache.tinkerpop.gremlin.process.computer.Memory;
import org.apache.tinkerpop.gremlin.process.computer.MemoryComputeKey;
import org.apache.tinkerpop.gremlin.process.computer.VertexProgram;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * The memory of a computation. The program sets it in {@code setup} and {@code terminate}; workers
 * read what it was when the iteration began, and add through {@link WorkerMemory}.
 *
 * <p>{@code values} is what a program sees between two iterations, {@code seen} what it sees while
 * one runs. Both are maps that the thread of the computation writes while no worker runs.
 */
final class ComputerMemory implements Memory.Admin {
  private final Map<String, MemoryComputeKey<?>> keys = new HashMap<>();
  private final Map<String, Object> values = new HashMap<>();
  private Map<String, Object> seen = new HashMap<>();
  private boolean executes;
  private volatile int iteration;
  private volatile long runtime;

  ComputerMemory(VertexProgram<?> program, Set<MapReduce<?, ?, ?, ?, ?>> jobs) {
    if (program != null) {
      for (MemoryComputeKey<?> key : program.getMemoryComputeKeys()) {
        keys.put(key.getKey(), key);
      }
    }
    for (MapReduce<?, ?, ?, ?, ?> job : jobs) {
      String key = job.getMemoryKey();
      keys.put(key, MemoryComputeKey.of(key, (a, b) -> b, false, false));
    }
  }

  /** The keys that a program may use. */
  Map<String, MemoryComputeKey<?>> computeKeys() {
    return keys;
  }

  /** Begins an iteration: workers see what is set now. */
  void beginIteration() {
    seen = new HashMap<>(values);
    executes = true;
  }

  /** Ends an iteration, after {@link #merge} of what each worker has added. */
  void endIteration() {
    seen = new HashMap<>(values);
    executes = false;
  }

  /** Reduces a value that a worker has added to what others have. */
  void merge(String key, Object added) {
    Object before = values.get(key);
    values.put(key, before == null ? added : WorkerMemory.reduced(keys.get(key), before, added));
  }

  /** Drops what is transient, at the end. */
  void complete() {
    setIteration(getIteration() - 1);
    for (MemoryComputeKey<?> key : keys.values()) {
      if (key.isTransient()) {
        values.remove(key.getKey());
      }
    }
    seen = new HashMap<>(values);
  }

  @Override
  public Set<String> keys() {
    Set<String> visible = new HashSet<>(seen.keySet());
    if (executes) {
      visible.removeIf(key -> !keys.get(key).isBroadcast());
    }
    return visible;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the interface has it
  public <R> R get(String key) {
    if (!seen.containsKey(key) || (executes && !keys.get(key).isBroadcast())) {
      throw Memory.Exceptions.memoryDoesNotExist(key);
    }
    return (R) seen.get(key);
  }

  @Override
  public void set(String key, Object value) {
    requireKey(key);
    if (executes) {
      throw Memory.Exceptions.memorySetOnlyDuringVertexProgramSetUpAndTerminate(key);
    }
    values.put(key, value);
    seen.put(key, value);
  }

  @Override
  public void add(String key, Object value) {
    requireKey(key);
    throw Memory.Exceptions.memoryAddOnlyDuringVertexProgramExecute(key);
  }

  void requireKey(String key) {
    if (!keys.containsKey(key)) {
      throw GraphComputer.Exceptions.providedKeyIsNotAMemoryComputeKey(key);
    }
  }

  @Override
  public int getIteration() {
    return iteration;
  }

  @Override
  public void setIteration(int iteration) {
    this.iteration = iteration;
  }

  @Override
  public long getRuntime() {
    return runtime;
  }

  @Override
  public void setRuntime(long runtime) {
    this.runtime = runtime;
  }

  @Override
  public String toString() {
    return StringFactory.memoryString(this);
  }
}
