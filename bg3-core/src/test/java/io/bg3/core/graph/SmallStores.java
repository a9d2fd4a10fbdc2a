package io.bg3.core.graph;

import io.bg3.Setting;
import io.bg3.Settings;

/** Settings and vertices of the stores of the tests of labels that have edges already. */
final class SmallStores {
  private SmallStores() {}

  /** Settings of a store in memory. */
  static Settings settings() {
    return Settings.defaults().with(Setting.MEMORY_BUDGET, "16m");
  }

  /** Settings of a store with small pages and segments, so that few writes fill them. */
  static Settings ofSmallPages() {
    return settings()
        .with("bg3.page.capacity", "512")
        .with("bg3.log.segment.min", "64k")
        .with("bg3.log.segment.max", "64k");
  }

  /** Adds vertices with the ids from 1. */
  static void addVertices(GraphStore graph, int count) {
    graph.retry(
        in -> {
          for (long vertex = 1; vertex <= count; vertex++) {
            in.addVertex(vertex, "v");
          }
          return null;
        });
  }
}
