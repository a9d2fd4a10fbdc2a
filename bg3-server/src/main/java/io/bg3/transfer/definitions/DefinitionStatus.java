package io.bg3.transfer.definitions;

/**
 * How far the store is with a definition that takes work beside the writers.
 *
 * @param name what was defined
 * @param isRule whether elements may break it: a schema, a unique index, an order that each edge
 *     needs a sort key for; false of an order that every edge is known to have
 * @param isWorking whether the work goes on
 * @param problem why it has stopped, or why the definition does not hold; null if there is none
 */
public record DefinitionStatus(
    DefinitionName name, boolean isRule, boolean isWorking, String problem) {
  /** A definition on which the work goes on unless it is ready, or has a problem. */
  static DefinitionStatus of(DefinitionName name, boolean isRule, boolean isReady, String problem) {
    return new DefinitionStatus(name, isRule, !isReady && problem == null, problem);
  }

  /** For people: {@code index person.name: ready}, or the problem behind the colon. */
  @Override
  public String toString() {
    return name + ": " + (problem != null ? problem : isWorking ? "working" : "ready");
  }
}
