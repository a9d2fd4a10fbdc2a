package io.bg3.gremlin.process.traversal.step.map;

import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeElementStep;

/** Gives a merging step the options of the step whose place it takes. */
final class MergeOptions {
  private MergeOptions() {}

  /** Gives a step the options, properties and labels that all merging steps may have. */
  @SuppressWarnings({"rawtypes", "unchecked"}) // options are typed by how they were built
  static void copy(MergeElementStep<?, ?, ?> from, MergeElementStep<?, ?, ?> to) {
    add(to, Merge.onCreate, (Traversal.Admin) from.getOnCreateTraversal());
    add(to, Merge.onMatch, (Traversal.Admin) from.getOnMatchTraversal());
    from.getProperties().forEach((key, values) -> to.addProperty(key, values.get(0)));
    from.getLabels().forEach(to::addLabel);
  }

  /** Gives a step an option if there is one. */
  @SuppressWarnings({"rawtypes", "unchecked"}) // options are typed by how they were built
  static void add(MergeElementStep to, Merge token, Traversal.Admin option) {
    if (option != null) {
      to.addChildOption(token, option);
    }
  }
}
