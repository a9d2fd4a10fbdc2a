package io.bg3.bench;

import io.bg3.Setting;
import java.util.Map;

/** A way to open BG3 for a work with less memory than data. */
enum ColdWay {
  /** With its defaults: properties leave memory before topology. */
  DEFAULT(""),
  /** Leaves are in memory with their properties or not at all. */
  WHOLE("-whole");

  private final String suffix;

  ColdWay(String suffix) {
    this.suffix = suffix;
  }

  /** The name of a system that is opened so. */
  String system(String name) {
    return name + suffix;
  }

  /** Settings of BG3, by their keys. */
  Map<String, String> settings() {
    return this == WHOLE ? Map.of(Setting.TOPOLOGY_FIRST.key(), "false") : Map.of();
  }
}
