package io.bg3.bench;

import static io.bg3.bench.store.Contender.ARRAYS;
import static io.bg3.bench.store.Contender.BARE_LOG;
import static io.bg3.bench.store.Contender.BG3;
import static io.bg3.bench.store.Contender.LMDB;
import static io.bg3.bench.store.Contender.ROCKSDB;

import io.bg3.bench.store.Contender;
import io.bg3.bench.work.WorkKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A work that the user can ask for, and the systems that take part in it. */
enum EngineWork {
  LOAD("load", WorkKind.LOAD, true, BG3, ROCKSDB, LMDB),
  WRITTEN("written", WorkKind.LOAD, true, BG3, ROCKSDB, LMDB),
  DISK("disk", WorkKind.LOAD, true, BG3, ROCKSDB, LMDB),
  SCAN("scan", WorkKind.SCAN, false, BG3, ROCKSDB, LMDB, ARRAYS),
  SCAN_VALUES("scan-values", WorkKind.SCAN_VALUES, false, BG3, ROCKSDB, LMDB),
  SCAN_BATCH("scan-batch", WorkKind.SCAN_BATCH, false, BG3, ARRAYS),
  HOPS("hops", WorkKind.HOPS, false, BG3, ROCKSDB, LMDB, ARRAYS),
  POINT("point", WorkKind.POINT, false, BG3, ROCKSDB, LMDB),
  COMMIT_NONE("commit-none", WorkKind.COMMIT_NONE, true, BG3, ROCKSDB, LMDB),
  COMMIT_SYNC("commit-sync", WorkKind.COMMIT_SYNC, true, BG3, ROCKSDB, LMDB, BARE_LOG),
  OPEN("open", WorkKind.OPEN, false, BG3, ROCKSDB, LMDB),
  OPEN_REPLAY("open-replay", WorkKind.REPLAY_OPEN, false, BG3, ROCKSDB),
  MEMORY("memory", WorkKind.MEMORY, false, BG3, ROCKSDB, LMDB);

  private final String text;
  private final WorkKind kind;
  private final boolean writes;

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes one that does not change
  private final List<Contender> contenders;

  EngineWork(String text, WorkKind kind, boolean writes, Contender... contenders) {
    this.text = text;
    this.kind = kind;
    this.writes = writes;
    this.contenders = List.of(contenders);
  }

  WorkKind kind() {
    return kind;
  }

  /** Whether it changes the store, and so needs a copy of the loaded one. */
  boolean writes() {
    return writes;
  }

  List<Contender> contenders() {
    return contenders;
  }

  /**
   * The works with these names, all if there are none.
   *
   * @throws IllegalArgumentException if there is no such work
   */
  static List<EngineWork> of(List<String> names) {
    List<EngineWork> works = new ArrayList<>();
    for (EngineWork work : values()) {
      boolean isAsked = names.isEmpty() || names.contains(work.text);
      if (isAsked && works.stream().noneMatch(other -> other.kind == work.kind)) {
        works.add(work);
      }
    }
    List<String> known = Arrays.stream(values()).map(work -> work.text).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "no such work: work=" + name + ", known=" + String.join(", ", known));
      }
    }
    return works;
  }
}
