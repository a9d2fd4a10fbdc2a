package io.bg3.storage.memory;

import java.nio.ByteBuffer;

/** Blocks of off-heap memory, cut from slabs, charged to one budget. */
public final class BlockMemory implements AutoCloseable {
  private final MemoryBudget budget;

  /**
   * @param budget what the blocks are charged to
   */
  public BlockMemory(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * Takes a block and charges its {@link #capacity} to the budget, which may be overdrawn by it:
   * who can still fail asks the budget before.
   *
   * @param bytes wanted, above 0
   * @return its address, never 0; 8-byte aligned, 64-byte aligned from 1 KiB on; the content is
   *     undefined
   * @throws MemoryExceededException if the JVM has no direct memory left
   */
  public long allocate(int bytes) {
    return 0;
  }

  /**
   * Gives a block back at once. Nobody may still read it; blocks that readers could reach go
   * through {@link Epochs}.
   */
  public void free(long address) {
    budget.release(0);
  }

  /**
   * Bytes that the block takes from the budget, at least what was asked for. Not for use beyond
   * what was asked for.
   */
  public int capacity(long address) {
    return 0;
  }

  /**
   * The slab that holds the block, little-endian; to be accessed by absolute positions only, from
   * {@link #offset} on. The buffer's position and limit belong to nobody and must not be changed.
   */
  public ByteBuffer slab(long address) {
    return ByteBuffer.allocateDirect((int) address);
  }

  /** Position of the block's first byte in its slab. */
  public static int offset(long address) {
    return (int) address;
  }

  /**
   * Bytes that a block for this many bytes will take from the budget: what to request before {@link
   * #allocate}.
   */
  public static int capacityFor(int bytes) {
    return bytes;
  }

  /**
   * Bytes of all slabs: what the blocks in use, those free for reuse, and the holes between them
   * take of the machine.
   */
  public long held() {
    return 0;
  }

  /** Bytes of the blocks in use: what this memory has charged to its budget. */
  public long used() {
    return 0;
  }

  /** What the blocks are charged to. */
  public MemoryBudget budget() {
    return budget;
  }

  /** Releases everything to the budget. No block may be used afterwards. */
  @Override
  public void close() {}
}
