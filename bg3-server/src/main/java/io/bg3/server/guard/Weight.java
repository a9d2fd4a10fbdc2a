package io.bg3.server.guard;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/**
 * How large a value is with all that is in it: about as many as its text has characters. What is in
 * it twice counts twice, as it would in a text or a message, however little memory it takes; so
 * weighing stops as soon as the value is known to be too heavy.
 */
final class Weight {
  /** What an element of a list, a set or a map counts beside its own weight. */
  static final int ENTRY = 4;

  /** Numbers of fixed size, dates, elements of the graph and whatever else is no longer. */
  private static final int PLAIN = 24;

  private static final int DEPTH = 500;

  /** Values between two looks at an interrupt. */
  private static final int EVERY = 1 << 10;

  /** Values in each other that are compared, hashed and written in a thread's stack. */
  private static final int WALKED_DEPTH = 200;

  private static final double DIGITS_A_BIT = Math.log10(2);

  private long left;
  private long entries; // met so far

  private Weight(long most) {
    this.left = most;
  }

  /** The weight, or {@code most} and one if it is more than that or nested too deeply. */
  static long of(Object value, long most) {
    Weight weight = new Weight(most);
    weight.add(value, 0);
    return weight.left < 0 ? most + 1 : most - weight.left;
  }

  /**
   * Whether a value can be walked, as comparing, hashing and writing it do: the values that it
   * holds have no more than {@code most} values in them, those that are in it twice counted twice,
   * and it is not nested deeper than a stack. How many it holds itself does not matter: it has been
   * given the memory for them.
   */
  static boolean isWalkable(Object value, long most) {
    long left = most;
    if (isComposed(value)) {
      for (Object element : elements(value)) {
        left = isComposed(element) ? walk(element, left, 1) : left;
        if (left < 0) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isComposed(Object value) {
    return value instanceof Iterable<?>
        || value instanceof Map<?, ?>
        || value instanceof Path
        || value instanceof Map.Entry<?, ?>
        || value instanceof Object[];
  }

  /** What is left of {@code most} after a value; less than zero if it is too much. */
  private static long walk(Object value, long most, int depth) {
    long left = depth > WALKED_DEPTH ? -1 : most - 1;
    checkInterrupt(left);
    if (left < 0 || !isComposed(value)) {
      return left;
    }
    for (Object element : elements(value)) {
      left = walk(element, left, depth + 1);
      if (left < 0) {
        return left;
      }
    }
    return left;
  }

  private static Iterable<?> elements(Object value) {
    if (value instanceof BulkSet<?> bulks) {
      return bulks.asBulk().keySet();
    } else if (value instanceof Map<?, ?> map) {
      return map.entrySet();
    } else if (value instanceof Map.Entry<?, ?> entry) {
      return Arrays.asList(entry.getKey(), entry.getValue());
    } else if (value instanceof Path path) {
      return path.objects();
    } else if (value instanceof Object[] array) {
      return Arrays.asList(array);
    }
    return (Iterable<?>) value;
  }

  private static void checkInterrupt(long count) {
    if (count % EVERY == 0 && Thread.interrupted()) {
      throw new TraversalInterruptedException();
    }
  }

  /** How many elements a list, a set or a map has; anything else has one. */
  static long entries(Object value) {
    if (value instanceof BulkSet<?> bulks) {
      return bulks.longSize();
    } else if (value instanceof Collection<?> collection) {
      return collection.size();
    } else if (value instanceof Map<?, ?> map) {
      return map.size();
    } else if (value instanceof Path path) {
      return path.size();
    } else if (value instanceof Object[] array) {
      return array.length;
    }
    return 1;
  }

  /**
   * How many digits a number has before and behind the point, all zeros of an exponent included.
   */
  static long digits(Object value) {
    if (value instanceof BigInteger integer) {
      return (long) (integer.bitLength() * DIGITS_A_BIT) + 1;
    } else if (value instanceof BigDecimal decimal) {
      return decimal.precision() + Math.abs((long) decimal.scale());
    }
    return 1;
  }

  private void add(Object value, int depth) {
    if (depth > DEPTH) {
      left = -1;
    } else if (value instanceof CharSequence text) {
      left -= text.length();
    } else if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (!entry(entry.getKey(), depth) || !entry(entry.getValue(), depth)) {
          return;
        }
      }
    } else if (value instanceof Path path) {
      add(path.objects(), depth);
    } else if (value instanceof Iterable<?> elements) {
      for (Object element : elements) {
        if (!entry(element, depth)) {
          return;
        }
      }
    } else if (value instanceof Object[] elements) {
      for (Object element : elements) {
        if (!entry(element, depth)) {
          return;
        }
      }
    } else if (value instanceof Map.Entry<?, ?> entry) {
      entry(entry.getKey(), depth);
      entry(entry.getValue(), depth);
    } else if (value instanceof Property<?> property) {
      left -= PLAIN + property.key().length();
      add(property.isPresent() ? property.value() : null, depth + 1);
    } else if (value instanceof Element element) {
      left -= PLAIN;
      add(element.id(), depth + 1);
    } else if (value instanceof Graph graph) { // what subgraph() made; sent with all properties
      if (whole(graph.vertices(), depth)) {
        whole(graph.edges(), depth);
      }
    } else {
      left -= Math.max(PLAIN, digits(value));
    }
  }

  /** Adds elements with their properties, and the properties of those. */
  private boolean whole(Iterator<? extends Element> elements, int depth) {
    while (elements.hasNext()) {
      Element element = elements.next();
      if (!entry(element, depth)) {
        return false;
      }
      for (Iterator<? extends Property<?>> of = element.properties(); of.hasNext(); ) {
        Property<?> property = of.next();
        if (!entry(property, depth)
            || (property instanceof VertexProperty<?> own && !metaOf(own, depth))) {
          return false;
        }
      }
    }
    return left >= 0;
  }

  private boolean metaOf(VertexProperty<?> property, int depth) {
    for (Iterator<Property<Object>> of = property.properties(); of.hasNext(); ) {
      if (!entry(of.next(), depth)) {
        return false;
      }
    }
    return true;
  }

  private boolean entry(Object element, int depth) {
    left -= ENTRY;
    checkInterrupt(++entries);
    if (left >= 0) {
      add(element, depth + 1);
    }
    return left >= 0;
  }
}
