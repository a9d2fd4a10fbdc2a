package io.bg3.server.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Bytes over a socket, for requests that no client would send. */
final class Raw {
  private static final int PATIENCE_MILLIS = 20_000;

  private Raw() {}

  /** Sends a text and gives what comes until the other end closes. */
  static String exchange(int port, String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
