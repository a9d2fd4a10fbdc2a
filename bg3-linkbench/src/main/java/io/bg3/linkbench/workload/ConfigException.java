package io.bg3.linkbench.workload;

/**
 * A configuration that lacks a key, has a value that its key does not take, or contradicts itself.
 */
public final class ConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** An exception that names the key, the value and the remedy. */
  public ConfigException(String message) {
    super(message);
  }

  ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
