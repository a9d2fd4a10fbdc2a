package io.bg3;

import java.lang.management.ManagementFactory;

/** How much memory outside of the heap this JVM may take. */
final class DirectMemory {
  private static final String FLAG = "-XX:MaxDirectMemorySize=";

  private DirectMemory() {}

  /**
   * Bytes: what {@code -XX:MaxDirectMemorySize} says, else the largest heap, which is the JVM's own
   * default.
   */
  static long limit() {
    long limit = Runtime.getRuntime().maxMemory();
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith(FLAG) && !argument.equals(FLAG + "0")) {
        limit = Settings.parseBytes(argument.substring(FLAG.length()));
      }
    }
    return limit;
  }
}
