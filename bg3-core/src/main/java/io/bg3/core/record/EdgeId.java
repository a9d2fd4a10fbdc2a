package io.bg3.core.record;

/**
 * The place of an edge: source, label, target, and its number among the parallel edges. Its text is
 * the id of an edge to which the user gave none.
 *
 * <pre>
 *   edge     = vertex "~" label "~" vertex [ "~" sequence ]
 *   vertex   = decimal            internal id of a vertex with a number for an id
 *            | "x" decimal        the n-th UUID or String id of the store
 *   label    = decimal            the label's code
 *   sequence = decimal            absent when it is 0
 * </pre>
 *
 * <p>All decimals are canonical: no leading zeros, no plus sign. Every edge has one text and every
 * text of this form one edge; all characters may stand in a URL as they are. {@code 1~3~2} is an
 * edge from vertex 1 to vertex 2.
 *
 * @param source internal id of the vertex that the edge leaves
 * @param label code of the label, from 1
 * @param target internal id of the vertex that the edge enters
 * @param sequence number among the edges with the same source, label and target, from 0
 */
public record EdgeId(long source, int label, long target, int sequence) {
  private static final char SEPARATOR = '~';
  private static final char RESERVED = 'x';

  /** The largest label code: the two bits above it are the tag. */
  public static final int MAX_LABEL = (1 << 30) - 1;

  /** The edge that a text of the form above names, null if the text does not have that form. */
  public static EdgeId parse(String text) {
    int first = text.indexOf(SEPARATOR);
    int second = text.indexOf(SEPARATOR, first + 1);
    if (first < 0 || second < 0) {
      return null;
    }
    int third = text.indexOf(SEPARATOR, second + 1);
    Long source = vertex(text.substring(0, first));
    Long label = number(text.substring(first + 1, second), 1, MAX_LABEL);
    Long target = vertex(text.substring(second + 1, third < 0 ? text.length() : third));
    Long sequence = third < 0 ? (Long) 0L : number(text.substring(third + 1), 1, 0xFFFF_FFFFL);
    if (source == null || label == null || target == null || sequence == null) {
      return null;
    }
    return new EdgeId(source, label.intValue(), target, sequence.intValue());
  }

  /** The text of this edge, which {@link #parse} reads. */
  public String text() {
    StringBuilder text = new StringBuilder(24);
    appendVertex(text, source);
    text.append(SEPARATOR).append(label).append(SEPARATOR);
    appendVertex(text, target);
    if (sequence != 0) {
      text.append(SEPARATOR).append(Integer.toUnsignedString(sequence));
    }
    return text.toString();
  }

  static void appendVertex(StringBuilder text, long vertex) {
    if (VertexId.isReserved(vertex)) {
      text.append(RESERVED).append(VertexId.reservedNumber(vertex));
    } else {
      text.append(vertex);
    }
  }

  /** The vertex id that {@link #appendVertex} wrote, null if it did not write this. */
  static Long vertex(String text) {
    if (!text.isEmpty() && text.charAt(0) == RESERVED) {
      Long number = number(text.substring(1), 0, VertexId.RESERVED_END - 1 - Long.MIN_VALUE);
      return number == null ? null : (Long) VertexId.reserved(number);
    }
    return number(text, VertexId.RESERVED_END, Long.MAX_VALUE);
  }

  private static Long number(String text, long low, long high) {
    Long number = text.isEmpty() ? null : VertexId.decimal(text);
    return number == null || number < low || number > high ? null : number;
  }

  @Override
  public String toString() {
    return text();
  }
}
