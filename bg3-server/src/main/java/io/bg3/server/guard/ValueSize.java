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
 * The size of a value with all its content, in units of about one character of its text form. A
 * value that occurs twice counts twice, as it does in a text or a message, however little memory it
 * takes on the heap. So weighing stops at the limit instead of walking the whole value.
 *
 * <p>Threads: one for each weighing. Weighing checks for interrupts.
 */
final class ValueSize {
  /** The weight of an entry of a list, a set or a map, in addition to its content. */
  static final int ENTRY = 4;

  /** The weight of numbers of fixed size, dates and elements, and of any other short value. */
  private static final int PLAIN = 24;

  /** The deepest nesting that is weighed. */
  private static final int DEPTH = 500;

  /** Values between two checks for an interrupt. */
  private static final int EVERY = 1 << 10;

  /** The deepest nesting that a thread's stack allows for comparing, hashing and writing. */
  private static final int WALKED_DEPTH = 200;

  private static final double DIGITS_A_BIT = Math.log10(2);

  private long left;
  private long entries; // visited so far

  private ValueSize(long most) {
    this.left = most;
  }

  /**
   * The weight of a value; {@code most + 1} if it is heavier than {@code most} or nested too
   * deeply.
   */
  static long of(Object value, long most) {
    ValueSize weight = new ValueSize(most);
    weight.add(value, 0);
    return weight.left < 0 ? most + 1 : most - weight.left;
  }

  /**
   * Whether a value can be compared, hashed and written. Its elements may contain at most {@code
   * most} values in total, where a value that occurs twice counts twice, and its nesting must fit
   * on a stack. The number of its own elements does not matter, because their memory is already
   * allocated.
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

  /** The rest of {@code most} after visiting a value; negative if it is exceeded. */
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

  /** The number of elements of a list, a set, a map, a path or an array; 1 for any other value. */
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
   * The number of decimal digits before and after the point, zeros of the exponent included; 1 for
   * numbers of fixed size and any other value.
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
    } else if (value instanceof Graph graph) { // the result of subgraph(), sent with all properties
      if (whole(graph.vertices(), depth)) {
        whole(graph.edges(), depth);
      }
    } else {
      left -= Math.max(PLAIN, digits(value));
    }
  }

  /** Adds elements with their properties and meta-properties. */
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
