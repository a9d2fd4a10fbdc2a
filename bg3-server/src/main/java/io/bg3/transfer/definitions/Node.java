package io.bg3.transfer.definitions;

import io.bg3.transfer.TransferException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of a file or of a service's answer, with the place where it stands, so that each error
 * names it. Its getters refuse values of another type.
 *
 * <p>A value is a map of texts to nodes, a list of nodes, a text, a Long, a Boolean, or the text of
 * something else in {@link Other}.
 */
final class Node {
  /**
   * Where nodes come from.
   *
   * @param name of the file or service
   * @param advice what a person can do about an error
   */
  record Source(String name, String advice) {}

  /** A value that no definition has, such as null or a fraction. */
  record Other(String text) {}

  private static final int MOST_SHOWN = 60;

  private final Source source;
  private final int line;
  private final String path;
  private final Object value;

  /**
   * A value.
   *
   * @param line from 1; 0 where there are none
   * @param path to it from the root, empty for the root itself
   */
  Node(Source source, int line, String path, Object value) {
    this.source = source;
    this.line = line;
    this.path = path;
    this.value = value;
  }

  /** The node of a value of a service's answer, with the nodes in it. */
  static Node of(Source source, String path, Object value) {
    Object held;
    if (value instanceof Map<?, ?> map) {
      Map<String, Node> members = new LinkedHashMap<>();
      map.forEach(
          (key, member) ->
              members.put(String.valueOf(key), of(source, member(path, key.toString()), member)));
      held = members;
    } else if (value instanceof List<?> list) {
      List<Node> elements = new ArrayList<>();
      for (Object element : list) {
        elements.add(of(source, element(path, elements.size()), element));
      }
      held = elements;
    } else if (value instanceof Integer number) {
      held = number.longValue();
    } else if (value instanceof String || value instanceof Long || value instanceof Boolean) {
      held = value;
    } else {
      held = new Other(String.valueOf(value));
    }
    return new Node(source, 0, path, held);
  }

  static String member(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  static String element(String path, int index) {
    return path + "[" + index + "]";
  }

  /** An error at this value. */
  TransferException error(String what) {
    return error(what, null);
  }

  /** An error at this value, with its cause. */
  TransferException error(String what, Throwable cause) {
    return new TransferException(
        source.name()
            + (line > 0 ? ":" + line : "")
            + ": "
            + (path.isEmpty() ? "" : path + ": ")
            + what
            + "\n"
            + source.advice(),
        cause);
  }

  /** The members of a map, all of which have one of these names. */
  Members members(List<String> known) throws TransferException {
    Map<String, Node> members = map();
    for (Map.Entry<String, Node> member : members.entrySet()) {
      if (!known.contains(member.getKey())) {
        throw member.getValue().error("unknown member: known=" + known);
      }
    }
    return new Members(this, members);
  }

  /** The members of a map with any names. */
  @SuppressWarnings("unchecked") // maps are made of nodes alone
  Map<String, Node> map() throws TransferException {
    if (value instanceof Map) {
      return (Map<String, Node>) value;
    }
    throw wrongType("an object");
  }

  @SuppressWarnings("unchecked") // lists are made of nodes alone
  List<Node> list() throws TransferException {
    if (value instanceof List) {
      return (List<Node>) value;
    }
    throw wrongType("a list");
  }

  boolean isText() {
    return value instanceof String;
  }

  String text() throws TransferException {
    if (value instanceof String text) {
      return text;
    }
    throw wrongType("a text");
  }

  boolean flag() throws TransferException {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw wrongType("true or false");
  }

  /** A whole number from {@code least} to {@code most}. */
  long number(long least, long most) throws TransferException {
    if (value instanceof Long number && number >= least && number <= most) {
      return number;
    }
    throw wrongType("a whole number from " + least + " to " + most);
  }

  private TransferException wrongType(String wanted) {
    return error("wanted=" + wanted + ", found=" + shown());
  }

  private String shown() {
    if (value instanceof Map) {
      return "an object";
    } else if (value instanceof List) {
      return "a list";
    }
    String text = value instanceof Other other ? other.text() : value.toString();
    return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
  }

  /**
   * The members of an object, by name.
   *
   * @param object itself, for errors about what is missing
   */
  record Members(Node object, Map<String, Node> nodes) {
    boolean has(String name) {
      return nodes.containsKey(name);
    }

    /** The member with a name, which has to be there. */
    Node get(String name) throws TransferException {
      Node node = nodes.get(name);
      if (node == null) {
        throw object.error("a member is missing: member=" + name);
      }
      return node;
    }

    /** A text; null if it is absent. */
    String text(String name) throws TransferException {
      return has(name) ? get(name).text() : null;
    }

    boolean flag(String name, boolean otherwise) throws TransferException {
      return has(name) ? get(name).flag() : otherwise;
    }

    /** A whole number from 1 to {@code most}; 0 if it is absent. */
    long number(String name, long most) throws TransferException {
      return has(name) ? get(name).number(1, most) : 0;
    }

    List<Node> list(String name) throws TransferException {
      return has(name) ? get(name).list() : List.of();
    }
  }
}
