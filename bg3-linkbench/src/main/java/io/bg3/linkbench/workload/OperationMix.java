package io.bg3.linkbench.workload;

/**
 * The shares of the kinds of requests.
 *
 * <p>Threads: any.
 */
final class OperationMix {
  private static final double ROUNDING = 1e-5;

  /** In the order in which LinkBench adds the shares up, so that a draw means the same. */
  private static final Operation[] OPERATIONS = {
    Operation.ADD_LINK,
    Operation.DELETE_LINK,
    Operation.UPDATE_LINK,
    Operation.COUNT_LINK,
    Operation.MULTIGET_LINK,
    Operation.GET_LINKS_LIST,
    Operation.ADD_NODE,
    Operation.UPDATE_NODE,
    Operation.DELETE_NODE,
    Operation.GET_NODE
  };

  private static final String[] KEYS = {
    "addlink",
    "deletelink",
    "updatelink",
    "countlink",
    "getlink",
    "getlinklist",
    "addnode",
    "updatenode",
    "deletenode",
    "getnode"
  };

  private static final int LINK_KEYS = 6;

  private final double[] upTo = new double[KEYS.length];

  /** The shares of a configuration; those of nodes may be left out. */
  OperationMix(Config config) {
    double sum = 0;
    for (int i = 0; i < KEYS.length; i++) {
      double share = i < LINK_KEYS ? config.real(KEYS[i]) : config.real(KEYS[i], 0);
      if (share < 0) {
        throw new ConfigException("must not be negative: key=" + KEYS[i] + ", value=" + share);
      }
      sum += share;
      upTo[i] = sum;
    }
    if (Math.abs(sum - 100) > ROUNDING) {
      throw new ConfigException(
          "the shares of the operations do not add up to 100: sum="
              + sum
              + ", keys="
              + String.join(" ", KEYS));
    }
  }

  /** The operation that a number from 0 to 100 stands for. */
  Operation at(double percent) {
    int i = 0;
    while (i < upTo.length - 1 && percent > upTo[i]) {
      i++;
    }
    return OPERATIONS[i];
  }

  /** Whether nodes are asked for at all. */
  boolean hasNodes() {
    return upTo[upTo.length - 1] > upTo[LINK_KEYS - 1];
  }
}
