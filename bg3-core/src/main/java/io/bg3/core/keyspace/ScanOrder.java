package io.bg3.core.keyspace;

/** The direction in which a scan goes through its range. */
public enum ScanOrder {
  FORWARD,
  BACKWARD
}
