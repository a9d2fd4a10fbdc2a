package io.bg3.bench.server;

import java.util.Locale;

/** How a client sends a request. */
public enum Form {
  /** As bytecode. */
  BYTECODE,

  /** As a text in gremlin-lang, with the values written into it. */
  TEXT,

  /** As a text that is always the same, with the values as parameters. */
  PARAMETERS;

  /** The name in tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
