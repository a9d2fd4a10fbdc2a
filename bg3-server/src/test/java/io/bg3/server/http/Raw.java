package io.bg3.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Bytes over a socket, for requests that no client would send. */
final class Raw {
  private static final int PATIENCE_MILLIS = 120_000;

  private Raw() {}

  /** Sends a text and gives what comes until the end of the head of the answer. */
  static String head(int port, String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      StringBuilder head = new StringBuilder();
      InputStream in = socket.getInputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        head.append((char) next);
        if (next == '\n' && head.indexOf("\r\n\r\n") >= 0) {
          break;
        }
      }
      return head.toString();
    }
  }

  /** Sends a text and gives what comes until the other end closes. */
  static String exchange(int port, String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
