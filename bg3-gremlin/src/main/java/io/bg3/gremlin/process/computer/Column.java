package io.bg3.gremlin.process.computer;

/**
 * Values by the numbers of vertices. Blocks without a value take no room.
 *
 * <p>Threads: one for each block at a time; a block that one thread has written is read by others
 * after something else has ordered them.
 */
final class Column {
  private final Blocks blocks;
  private final Cells[] cells;

  Column(Blocks blocks) {
    this.blocks = blocks;
    this.cells = new Cells[blocks.blocks()];
  }

  boolean has(int number) {
    Cells block = cells[blocks.block(number)];
    return block != null && block.has(blocks.place(number));
  }

  /** The value, null if there is none. */
  Object get(int number) {
    Cells block = cells[blocks.block(number)];
    return block == null ? null : block.get(blocks.place(number));
  }

  /** Stores a value that is not null in the place of the one that is there. */
  void set(int number, Object value) {
    int index = blocks.block(number);
    Cells block = cells[index];
    if (block == null) {
      block = new Cells(Math.min(blocks.size(), blocks.count() - blocks.first(index)));
      cells[index] = block;
    }
    block.set(blocks.place(number), value);
  }

  void remove(int number) {
    Cells block = cells[blocks.block(number)];
    if (block != null) {
      block.remove(blocks.place(number));
    }
  }

  /** Removes all values and keeps room for numbers. */
  void clear() {
    for (Cells block : cells) {
      if (block != null) {
        block.clear();
      }
    }
  }
}
