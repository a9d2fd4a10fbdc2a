package io.bg3.server.access;

import io.bg3.server.request.GraphName;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The roles of a user on single graphs, as a {@link UsersFile} has them: {@code
 * people=reader,orders=none}. On every other graph the user has its general role.
 *
 * @param byGraph the roles by the names of graphs; none of them is {@link Role#ADMIN}
 */
public record GraphRoles(Map<String, Role> byGraph) {
  /** A user with one role on all graphs. */
  public static final GraphRoles NONE = new GraphRoles(Map.of());

  /**
   * Checks the names and the roles.
   *
   * @throws IllegalArgumentException if a name is not valid, or a role is not one for a graph
   */
  public GraphRoles {
    byGraph = Collections.unmodifiableMap(new TreeMap<>(byGraph));
    byGraph.forEach(
        (graph, role) -> {
          GraphName.require(graph);
          if (role == Role.ADMIN) {
            throw new IllegalArgumentException(
                "the role admin is for the whole server, not for one graph: graph=" + graph);
          }
        });
  }

  /**
   * Reads roles.
   *
   * @param text roles with commas between them; may be empty
   * @throws IllegalArgumentException if it has something else, or one graph twice
   */
  static GraphRoles of(String text) {
    Map<String, Role> roles = new TreeMap<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("not a role on a graph: wanted=GRAPH=ROLE");
      }
      String graph = part.substring(0, equals);
      if (roles.put(graph, Role.of(part.substring(equals + 1))) != null) {
        throw new IllegalArgumentException("graph occurs twice: graph=" + graph);
      }
    }
    return new GraphRoles(roles);
  }

  /**
   * These roles with that on one graph replaced.
   *
   * @param role null for the general role of the user
   * @throws IllegalArgumentException if the name is not valid, or the role is not one for a graph
   */
  public GraphRoles with(String graph, Role role) {
    GraphName.require(graph);
    Map<String, Role> roles = new TreeMap<>(byGraph);
    if (role == null) {
      roles.remove(graph);
    } else {
      roles.put(graph, role);
    }
    return new GraphRoles(roles);
  }

  /** The roles as the file has them; empty if there are none. */
  String text() {
    return byGraph.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue().text())
        .collect(Collectors.joining(","));
  }
}
