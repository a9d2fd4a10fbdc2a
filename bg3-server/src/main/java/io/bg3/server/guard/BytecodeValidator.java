package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.TraversalStrategyProxy;
import org.apache.tinkerpop.gremlin.process.traversal.util.BytecodeHelper;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.util.function.Lambda;

/**
 * Validates bytecode with all its nested arguments. TinkerPop turns the name of a step into a call
 * of the method with that name, so the validator accepts only steps of the {@link AllowList}. An
 * argument can be of any class that a message can carry, so the validator accepts only the classes
 * that queries need.
 *
 * <p>Replaces regular expressions by interruptible ones while it walks the arguments: see {@link
 * SafeRegex}.
 *
 * <p>Threads: one; a validator checks one query.
 */
final class BytecodeValidator {
  /** The class name by which bytecode represents {@code Cardinality.list(value)}. */
  private static final String CARDINALITY = "CardinalityValueTraversal";

  private final QueryBudget tally;
  private String step = ""; // whose arguments are being checked
  private int children; // nested traversals in them, at any depth of collections

  BytecodeValidator(QueryBudget tally) {
    this.tally = tally;
  }

  void validate(Bytecode query) throws Refusal {
    if (BytecodeHelper.isGraphOperation(query)) {
      return; // exactly tx().commit() or tx().rollback(); no steps to check
    }
    tally.open();
    for (Bytecode.Instruction instruction : query.getSourceInstructions()) {
      validateSource(instruction);
    }
    validateSteps(query, 1);
    tally.close();
  }

  void validateValue(Object value) throws Refusal {
    validate(value, 1);
  }

  private void validateSource(Bytecode.Instruction source) throws Refusal {
    Object[] arguments = source.getArguments();
    tally.source();
    switch (source.getOperator()) {
      case "withStrategies" -> {
        for (Object argument : arguments) {
          validateStrategy(argument);
        }
      }
      case "with" -> {
        if (arguments.length == 0 || !(arguments[0] instanceof String key)) {
          throw Refusal.forbidden("with() needs a key");
        }
        AllowList.requireOption(
            key); // RequestBounds limits its timeout, which drivers copy to the request
      }
      default -> {
        AllowList.requireSource(source.getOperator());
        validateArguments(arguments, 1);
      }
    }
  }

  private void validateStrategy(Object argument) throws Refusal {
    tally.source();
    if (!(argument instanceof TraversalStrategyProxy<?> proxy)) {
      throw Refusal.forbidden("withStrategies() takes strategies");
    }
    Class<?> strategy = proxy.getStrategyClass();
    AllowList.requireStrategy(strategy);
    Configuration configuration = proxy.getConfiguration();
    for (Iterator<String> keys = configuration.getKeys(); keys.hasNext(); ) {
      String key = keys.next();
      AllowList.requireStrategyKey(strategy.getSimpleName(), key);
      AllowList.requireStrategyValue(key, configuration.getProperty(key));
      validate(configuration.getProperty(key), 1);
    }
    AllowList.respell(configuration);
  }

  private void validateSteps(Bytecode query, int depth) throws Refusal {
    String service = ""; // the last one called
    for (Bytecode.Instruction instruction : query.getStepInstructions()) {
      Object[] arguments = instruction.getArguments();
      tally.step(instruction.getOperator());
      step = instruction.getOperator();
      boolean call = step.equals("call");
      if (call && arguments.length > 0) {
        service = String.valueOf(arguments[0]);
        tally.service(service);
      }
      if (call || step.equals("with")) {
        tally.parameters(
            service, Arrays.stream(arguments).anyMatch(BytecodeValidator::isTraversal));
      }
      validateArguments(arguments, depth);
    }
  }

  private static boolean isTraversal(Object argument) {
    return argument instanceof Bytecode
        || (argument instanceof Bytecode.Binding<?> binding && isTraversal(binding.value()));
  }

  private void validateArguments(Object[] arguments, int depth) throws Refusal {
    int outer = children;
    children = 0;
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] instanceof P<?> predicate) {
        validatePredicate(predicate, depth + 1);
        arguments[i] = SafeRegex.interruptible(predicate);
      } else {
        validate(arguments[i], depth + 1);
      }
    }
    tally.children(children);
    children = outer;
  }

  private void validatePredicate(P<?> predicate, int depth) throws Refusal {
    tally.nesting(depth);
    if (predicate instanceof ConnectiveP<?> connective) {
      for (P<?> part : connective.getPredicates()) {
        validatePredicate(part, depth + 1);
      }
    } else {
      Optional<String> regex = SafeRegex.expression(predicate);
      if (regex.isPresent()) {
        RegexCost.require(regex.get());
      }
      validate(predicate.getValue(), depth + 1);
    }
  }

  private void validate(Object value, int depth) throws Refusal {
    tally.nesting(depth);
    if (value instanceof Bytecode nested) {
      validateNested(nested, depth);
    } else if (value instanceof Bytecode.Binding<?> binding) {
      validate(binding.value(), depth + 1);
    } else if (value instanceof P<?> predicate) {
      if (SafeRegex.isRegex(predicate)) { // validateArguments() replaces only direct arguments
        throw Refusal.forbidden("a regular expression has to be an argument of its step");
      }
      validatePredicate(predicate, depth);
    } else if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        validate(entry.getKey(), depth + 1);
        validate(entry.getValue(), depth + 1);
      }
    } else if (value instanceof List || (value instanceof Set && !(value instanceof BulkSet))) {
      requireHashable((Collection<?>) value);
      for (Object element : (Collection<?>) value) {
        validate(element, depth + 1);
      }
    } else if (value instanceof Object[] array) {
      for (Object element : array) {
        validate(element, depth + 1);
      }
    } else if (value instanceof Element element) {
      validate(element.id(), depth + 1); // its properties are not read
    } else if (value instanceof Property<?> property) {
      validate(property.value(), depth + 1);
    } else {
      validateLeaf(value);
    }
  }

  /** Checks every collection, because a step such as {@code dedup(local)} may hash its elements. */
  private static void requireHashable(Collection<?> elements) throws Refusal {
    if (!HashCollisions.areFew(elements)) {
      throw Refusal.forbidden(
          "collection has too many elements with equal hash codes: elements=" + elements.size());
    }
  }

  private void validateNested(Bytecode nested, int depth) throws Refusal {
    children++;
    List<Bytecode.Instruction> sources = nested.getSourceInstructions();
    if (!sources.isEmpty()) {
      if (sources.size() > 1 || !sources.get(0).getOperator().equals(CARDINALITY)) {
        throw Refusal.forbidden("a nested traversal cannot have source steps");
      }
      validateArguments(sources.get(0).getArguments(), depth);
    }
    String outer = step;
    tally.open();
    validateSteps(nested, depth);
    tally.close();
    step = outer;
  }

  private void validateLeaf(Object value) throws Refusal {
    if (value instanceof Number number) {
      tally.number(step, number);
    } else if (value instanceof String text) {
      tally.text(step, text);
    }
    if (value instanceof Lambda) {
      throw Refusal.forbidden("lambdas are not available on the server");
    } else if (value instanceof BigDecimal decimal) {
      tally.decimal(decimal);
    } else if (value instanceof BigInteger integer) {
      tally.integer(integer);
    } else if (!isPlain(value)) {
      throw Refusal.forbidden(
          "value is not available on the server: class="
              + AllowList.shown(value.getClass().getSimpleName()));
    }
  }

  private static boolean isPlain(Object value) {
    return value == null
        || value instanceof String
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof UUID
        || value instanceof Date
        || value instanceof ByteBuffer
        || value instanceof byte[]
        || value instanceof TemporalAccessor
        || value instanceof TemporalAmount
        || (value instanceof Enum<?> constant
            && constant.getDeclaringClass().getName().startsWith("org.apache.tinkerpop.gremlin."));
  }
}
