package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.forest.Forest;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A store of edges on a disk whose power may be cut, beside a model of what it must have. */
class ModelledStore implements AutoCloseable {
  CheckpointedStore opened;
  final EdgeModel model;
  private final long seed;
  private final UnaryOperator<Disk> through;
  private CrashingDisk disk = new CrashingDisk();

  /**
   * An empty store.
   *
   * @param seed says what a power cut leaves of the writes that were not synced
   */
  ModelledStore(EdgeModel model, long seed) throws IOException {
    this(model, seed, disk -> disk);
  }

  /** An empty store whose disk is used through another one. */
  ModelledStore(EdgeModel model, long seed, UnaryOperator<Disk> through) throws IOException {
    this.model = model;
    this.seed = seed;
    this.through = through;
    this.opened = CheckpointedStore.open(through.apply(disk));
  }

  /** Commits so many edges of an owner. */
  void fill(long owner, int edges) {
    opened.commit(
        transaction -> {
          for (int other = 0; other < edges; other++) {
            model.put(transaction, owner, other, new byte[] {(byte) other});
          }
        });
  }

  Forest forest() {
    return opened.opened().forest();
  }

  Transaction reader() {
    return opened.transactions().begin(Isolation.STRICT, true);
  }

  void compare() {
    compare("");
  }

  /** Compares the store with the model, and checks it. */
  void compare(String at) {
    try (Transaction reader = reader()) {
      model.compare(reader, at);
    }
    assertEquals(List.of(), opened.check(), at);
  }

  /** Opens what a power cut has left. */
  void crash() {
    disk = disk.crash(new Random(seed));
    opened.abandon();
    opened = assertDoesNotThrow(() -> CheckpointedStore.open(through.apply(disk)));
  }

  @Override
  public void close() {
    opened.abandon();
  }
}
