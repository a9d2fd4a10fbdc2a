package io.bg3.linkbench.workload;

/** What the configuration says is missing, not a value of its key, or contradicts itself. */
public final class ConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** What is wrong, with key and value, and what to do. */
  public ConfigException(String message) {
    super(message);
  }

  ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
