package io.bg3.storage.extent;

/** A location leads to an extent that is not there, or not any more: its holder let go of it. */
public final class NoSuchExtentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names the location. */
  public NoSuchExtentException(long location) {
    super("no such extent: location=" + Location.toString(location));
  }
}
