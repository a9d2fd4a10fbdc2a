package io.bg3.server.query;

import io.bg3.gremlin.process.traversal.step.util.AccessHolder;
import io.bg3.gremlin.process.traversal.step.util.Bg3ProfileStep;
import io.bg3.server.guard.ValueLimit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.AbstractLambdaTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertiesStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ProfileStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;

/**
 * The plan of a query for a log: the steps that have run, after all strategies, with their labels
 * and property keys, the conditions that they have taken over, and no value. Belongs to the thread
 * of the query.
 */
final class PlanText {
  private final StringBuilder text = new StringBuilder();
  private final int most;

  private PlanText(int most) {
    this.most = most;
  }

  /**
   * The plan of a query.
   *
   * @param most characters after which nothing more is added but "..."
   */
  static String of(Traversal.Admin<?, ?> query, int most) {
    PlanText plan = new PlanText(most);
    plan.steps(query);
    return plan.text.length() > most ? plan.text.substring(0, most) + "..." : plan.text.toString();
  }

  private void steps(Traversal.Admin<?, ?> traversal) {
    text.append('[');
    String separator = "";
    for (Step<?, ?> step : traversal.getSteps()) {
      if (text.length() > most) {
        return;
      }
      if (!isObserver(step)) {
        text.append(separator);
        step(step);
        separator = ", ";
      }
    }
    text.append(']');
  }

  /** Whether a step only looks at what passes, and stands in no query. */
  private static boolean isObserver(Step<?, ?> step) {
    return ValueLimit.isCheck(step)
        || step instanceof ProfileStep
        || step instanceof Bg3ProfileStep;
  }

  private void step(Step<?, ?> step) {
    text.append(step.getClass().getSimpleName());
    int before = text.length();
    if (step instanceof GraphStep<?, ?> start) {
      add(before, start.returnsVertex() ? "vertex" : "edge");
      if (start.getIds() != null && start.getIds().length > 0) {
        add(before, "ids=" + start.getIds().length);
      }
    } else if (step instanceof VertexStep<?> neighbours) {
      add(before, neighbours.getDirection());
      add(before, Arrays.asList(neighbours.getEdgeLabels())); // one may be null
    } else if (step instanceof PropertiesStep<?> properties) {
      add(before, Arrays.asList(properties.getPropertyKeys()));
    }
    if (step instanceof HasContainerHolder<?, ?> conditions) {
      for (HasContainer condition : conditions.getHasContainers()) {
        add(before, condition.getKey() + "." + predicate(condition.getPredicate()));
      }
    }
    if (step instanceof AccessHolder holder && holder.access() != null) {
      add(before, holder.access());
    }
    if (step instanceof TraversalParent parent) {
      nested(before, parent.getLocalChildren());
      nested(before, parent.getGlobalChildren());
    }
    if (text.length() > before) {
      text.append(')');
    }
  }

  private void nested(int before, Collection<? extends Traversal.Admin<?, ?>> children) {
    for (Traversal.Admin<?, ?> child : children) {
      if (text.length() > most) {
        return;
      }
      if (!(child instanceof AbstractLambdaTraversal)) {
        open(before);
        steps(child);
      }
    }
  }

  private void add(int before, Object detail) {
    if (text.length() <= most) {
      open(before);
      text.append(detail);
    }
  }

  private void open(int before) {
    text.append(text.length() == before ? "(" : ", ");
  }

  private static String predicate(P<?> predicate) {
    if (predicate instanceof ConnectiveP<?> several) {
      List<String> names = several.getPredicates().stream().map(PlanText::predicate).toList();
      return String.join("|", names);
    }
    Object test = predicate.getBiPredicate();
    return test instanceof Enum<?> word
        ? word.name()
        : Objects.requireNonNull(test).getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
