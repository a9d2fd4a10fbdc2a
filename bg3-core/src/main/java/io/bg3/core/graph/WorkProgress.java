package io.bg3.core.graph;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far a worker of the store is with each of its jobs, and why it has stopped with some. The
 * counts begin at 0 when the store is opened.
 *
 * <p>Threads: any.
 *
 * @param <K> names a job
 */
final class WorkProgress<K> {
  private final Map<K, Long> done = new ConcurrentHashMap<>();
  private final Map<K, String> problems = new ConcurrentHashMap<>();

  /** How many elements of a job are done. */
  long done(K job) {
    return done.getOrDefault(job, 0L);
  }

  /** Counts elements of a job. */
  void add(K job, long elements) {
    done.merge(job, elements, Long::sum);
  }

  /** Why the work on a job has stopped; null if it has not. */
  String problem(K job) {
    return problems.get(job);
  }

  /** Says why the work on a job has stopped. */
  void stop(K job, String problem) {
    problems.put(job, problem);
  }

  /** Lets the work on a job go on where it has stopped. */
  void goOn(K job) {
    problems.remove(job);
  }

  /** Begins to count a job anew. */
  void countAnew(K job) {
    done.remove(job);
  }

  /** Forgets a job, which may begin anew. */
  void forget(K job) {
    done.remove(job);
    problems.remove(job);
  }
}
