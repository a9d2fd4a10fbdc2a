package io.bg3.core.record;

/** A property value, or one inside it, is of a class that the store does not keep, or too large. */
public final class UnsupportedValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnsupportedValueException(String message) {
    super(message);
  }
}
