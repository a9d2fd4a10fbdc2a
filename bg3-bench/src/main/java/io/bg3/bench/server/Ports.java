package io.bg3.bench.server;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The ports of a process that serves, in a file that appears when all of them answer. */
public final class Ports {
  private Ports() {}

  /** A port of this machine that nothing listens to. */
  public static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Writes ports into a file, which is complete as soon as it is there. */
  public static void write(Path file, int... ports) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(
        part, Arrays.stream(ports).mapToObj(port -> port + "\n").collect(Collectors.joining()));
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The ports in a file. */
  public static List<Integer> read(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(Integer::valueOf).toList();
  }
}
