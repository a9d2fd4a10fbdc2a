package io.bg3.core.graph;

/**
 * The order that a label with edges has got (R49). The edges keep their entries, and those out of
 * their source the whole record; each has one entry more, in the order, with the same record but
 * for the sort key.
 *
 * @param sortKeyCode code of the sort key's property
 * @param state how far it is; not failed, for then there is none
 * @param readySince the stamp from which on queries read it; with {@link OrderState#READY}
 */
record AddedOrder(int sortKeyCode, OrderState state, long readySince) {
  private static final int VERIFYING = 0;
  private static final int BUILDING = 1;
  private static final int READY = 2;

  /** The highest {@link #mark}. */
  static final int MOST_MARK = READY;

  /** The byte that stands for the state in an encoded form. */
  int mark() {
    return switch (state) {
      case VERIFYING -> VERIFYING;
      case BUILDING -> BUILDING;
      case READY -> READY;
      case FAILED -> throw new IllegalStateException("no order: " + this);
    };
  }

  /** The order that an encoded form tells of; queries at any snapshot read it if it is ready. */
  static AddedOrder ofMark(int sortKeyCode, int mark) {
    OrderState state =
        switch (mark) {
          case VERIFYING -> OrderState.VERIFYING;
          case BUILDING -> OrderState.BUILDING;
          case READY -> OrderState.READY;
          default -> throw new IllegalArgumentException("no state of an order: mark=" + mark);
        };
    return new AddedOrder(sortKeyCode, state, 0);
  }

  /** This order, in another state. */
  AddedOrder in(OrderState next, long since) {
    return new AddedOrder(sortKeyCode, next, since);
  }

  /** Whether each edge has its sort key, and commits keep the entries in the order. */
  boolean isKept() {
    return state != OrderState.VERIFYING;
  }

  /** Whether queries at a snapshot find all edges in it. */
  boolean isReady(long snapshot) {
    return state == OrderState.READY && snapshot >= readySince;
  }
}
