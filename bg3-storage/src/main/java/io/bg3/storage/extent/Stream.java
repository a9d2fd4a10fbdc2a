package io.bg3.storage.extent;

import java.util.Locale;

/** A kind of append-only data. Each has extents of its own, because each ages at its own pace. */
public enum Stream {
  /** Base images of pages. */
  BASE(0),
  /** Delta images of pages; they die young. */
  DELTA(1),
  /** Values too large for a page. */
  VALUE(2),
  /** Rows of the page table. */
  MAP(3);

  private static final Stream[] BY_CODE = values();

  private final int code;

  Stream(int code) {
    this.code = code;
  }

  /** The code of the stream in files. */
  int code() {
    return code;
  }

  /** The stream with this code, or null if there is none. */
  static Stream of(int code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }

  /** How file names spell it. */
  String fileName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
