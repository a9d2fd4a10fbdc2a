package io.bg3.bench.store;

import io.bg3.bench.data.PowerLawGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A system that takes part. */
public enum Contender {
  BG3("bg3"),
  ROCKSDB("rocksdb"),
  LMDB("lmdb"),
  ARRAYS("csr"),
  BARE_LOG("bare-log");

  private final String text;

  Contender(String text) {
    this.text = text;
  }

  /** The name in tables and JSON lines. */
  public String text() {
    return text;
  }

  /**
   * The systems with these names, all if there are none.
   *
   * @throws IllegalArgumentException if there is no such system
   */
  public static Set<Contender> of(List<String> names) {
    Set<Contender> found = EnumSet.noneOf(Contender.class);
    for (Contender contender : values()) {
      if (names.isEmpty() || names.contains(contender.text)) {
        found.add(contender);
      }
    }
    List<String> known = Arrays.stream(values()).map(Contender::text).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "no such system: system=" + name + ", known=" + String.join(", ", known));
      }
    }
    return found;
  }

  /**
   * The systems with these names, which must be among some.
   *
   * @throws IllegalArgumentException if one of them is not
   */
  public static Set<Contender> of(List<String> names, Set<Contender> known) {
    Set<Contender> asked = of(names);
    if (!known.containsAll(asked)) {
      List<String> texts = EnumSet.copyOf(known).stream().map(Contender::text).toList();
      throw new IllegalArgumentException(
          "the systems here are " + listed(texts) + ": asked=" + names);
    }
    return asked;
  }

  private static String listed(List<String> texts) {
    int last = texts.size() - 1;
    return String.join(", ", texts.subList(0, last)) + " and " + texts.get(last);
  }

  /** Whether it keeps files that a load fills. */
  public boolean isLoaded() {
    return this == BG3 || this == ROCKSDB || this == LMDB;
  }

  /**
   * Opens its store, made if it is not there.
   *
   * @param graph what sorted arrays are filled with; the others are loaded by their writers
   * @throws IOException if it does not open, or its library does not work on this machine
   */
  public BenchStore open(StoreOptions options, PowerLawGraph graph) throws IOException {
    Files.createDirectories(options.directory());
    try {
      return switch (this) {
        case BG3 -> new Bg3Store(options);
        case ROCKSDB -> new RocksStore(options);
        case LMDB -> new LmdbStore(options);
        case ARRAYS -> new ArrayStore(graph);
        case BARE_LOG -> new BareLog(options.directory());
      };
    } catch (LinkageError e) {
      throw new IOException(
          "a library or its native part does not work here: system=" + text + platform(), e);
    }
  }

  private static String platform() {
    return ", os="
        + System.getProperty("os.name")
        + ", architecture="
        + System.getProperty("os.arch")
        + ", java="
        + Runtime.version();
  }
}
