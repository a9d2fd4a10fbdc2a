package io.bg3.linkbench.workload;

/**
 * A configuration that lacks a key, has a value that its key does not take, or contradicts itself.
 */
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
