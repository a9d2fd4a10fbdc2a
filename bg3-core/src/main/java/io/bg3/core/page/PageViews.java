package io.bg3.core.page;

import io.bg3.core.block.PageHeader;
import io.bg3.storage.memory.BlockMemory;

/**
 * The views of pages that one thread uses again in each look-up. Of every view there is none until
 * a look-up needs it.
 */
public final class PageViews {
  private EdgeLeaf edgeTop;
  private EdgeLeaf edgeBase;
  private ByteLeaf byteTop;
  private ByteLeaf byteBase;
  private InnerBlock inner;
  private PageHeader header;

  EdgeLeaf edgeTop() {
    if (edgeTop == null) {
      edgeTop = new EdgeLeaf();
    }
    return edgeTop;
  }

  EdgeLeaf edgeBase() {
    if (edgeBase == null) {
      edgeBase = new EdgeLeaf();
    }
    return edgeBase;
  }

  ByteLeaf byteTop() {
    if (byteTop == null) {
      byteTop = new ByteLeaf();
    }
    return byteTop;
  }

  ByteLeaf byteBase() {
    if (byteBase == null) {
      byteBase = new ByteLeaf();
    }
    return byteBase;
  }

  InnerBlock inner() {
    if (inner == null) {
      inner = new InnerBlock();
    }
    return inner;
  }

  /** A view of headers in this memory, always the same, for a caller that looks for the leaf. */
  public PageHeader header(BlockMemory memory) {
    if (header == null) {
      header = new PageHeader(memory);
    }
    return header;
  }
}
