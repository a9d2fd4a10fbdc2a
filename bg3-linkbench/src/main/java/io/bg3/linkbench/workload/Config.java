package io.bg3.linkbench.workload;

import java.util.Properties;

/**
 * LinkBench's properties, read with their types. A value that is not of its type is an error that
 * names the key, also where there is a default.
 *
 * <p>Threads: any; the properties are not changed once they are here.
 */
public final class Config {
  /** The first type of links. */
  public static final long FIRST_LINK_TYPE = 123_456_789L;

  /** The type of all nodes that the workload adds. */
  public static final int NODE_TYPE = 2048;

  private final Properties properties;

  /** The properties as they are; see {@link ConfigFiles} for where they come from. */
  public Config(Properties properties) {
    this.properties = properties;
  }

  /** Whether the key is there and not empty. */
  public boolean has(String key) {
    return !text(key, "").isEmpty();
  }

  /** All of them. */
  public Properties properties() {
    return properties;
  }

  /** The text of a key that has to be there. */
  public String text(String key) {
    String value = properties.getProperty(key);
    if (value == null) {
      throw new ConfigException(
          "missing: key=" + key + "\nAdd it to the configuration or say -D " + key + "=...");
    }
    return value.strip();
  }

  /** The text of a key, or what stands for it. */
  public String text(String key, String otherwise) {
    return properties.getProperty(key, otherwise).strip();
  }

  /** A whole number that has to be there. */
  public long number(String key) {
    String value = text(key);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new ConfigException("not a whole number: key=" + key + ", value=" + value, e);
    }
  }

  /** A whole number, or what stands for it. */
  public long number(String key, long otherwise) {
    return has(key) ? number(key) : otherwise;
  }

  /** A whole number in a range that includes both ends. */
  public int count(String key, int low, int high) {
    long value = number(key);
    if (value < low || value > high) {
      throw new ConfigException(
          "out of range: key=" + key + ", value=" + value + ", allowed=" + low + " to " + high);
    }
    return (int) value;
  }

  /** A whole number in a range that includes both ends, or what stands for it. */
  public int count(String key, int otherwise, int low, int high) {
    return has(key) ? count(key, low, high) : otherwise;
  }

  /** A number that has to be there. */
  public double real(String key) {
    String value = text(key);
    try {
      double number = Double.parseDouble(value);
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new ConfigException("not a number: key=" + key + ", value=" + value, e);
    }
    throw new ConfigException("not a finite number: key=" + key + ", value=" + value);
  }

  /** A number, or what stands for it. */
  public double real(String key, double otherwise) {
    return has(key) ? real(key) : otherwise;
  }

  /** Whether the value is true; anything but true and false is an error. */
  public boolean flag(String key, boolean otherwise) {
    String value = text(key, Boolean.toString(otherwise));
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw new ConfigException("neither true nor false: key=" + key + ", value=" + value);
    }
    return value.equalsIgnoreCase("true");
  }

  /** The first node's id, at least 1. */
  public long startId() {
    long start = number("startid1");
    if (start < 1) {
      throw new ConfigException("must be at least 1: key=startid1, value=" + start);
    }
    return start;
  }

  /** One more than the last loaded node's id. */
  public long endId() {
    long end = number("maxid1");
    if (end <= startId()) {
      throw new ConfigException(
          "must be above startid1: key=maxid1, value=" + end + ", startid1=" + startId());
    }
    if (end - startId() > Integer.MAX_VALUE) {
      throw new ConfigException("too many nodes: count=" + (end - startId()) + ", most=2147483647");
    }
    return end;
  }

  /** The number of types of links. */
  public int linkTypes() {
    return count("link_type_count", 1, 1, 1_000_000);
  }
}
