package io.bg3.transfer.csv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Reads random bytes in pieces of random sizes: the text is what the JDK makes of them, and the
 * remembered places are the first replacement character of each line.
 */
class Utf8InputTest {
  private static final int ROUNDS = 300;

  @Test
  void readsWhatTheJdkReadsAndRemembersWhere() throws IOException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = bytes(random);
      String at = "-Dbg3.seed=" + seed + ", round=" + round;
      try (Utf8Input input = new Utf8Input(inPieces(bytes, random))) {
        String text = read(input, random);
        assertEquals(new String(bytes, StandardCharsets.UTF_8), text, at);
        assertEquals(badLines(text), remembered(input), at);
      }
    }
  }

  @Test
  void leavesOutTheMarkOnlyAtTheBeginning() throws IOException {
    byte[] bytes = "\uFEFFa\uFEFFb".getBytes(StandardCharsets.UTF_8);
    try (Utf8Input input = new Utf8Input(new ByteArrayInputStream(bytes))) {
      assertEquals("a\uFEFFb", read(input, new Random(1)));
    }
  }

  private static byte[] bytes(Random random) {
    StringBuilder text = new StringBuilder();
    String letters = "ab,\"\r\n\u00e4\u20ac\uD83D\uDE00";
    int length = random.nextInt(200);
    for (int i = 0; i < length; i++) {
      text.append(letters.charAt(random.nextInt(letters.length() - 2)));
      if (random.nextInt(10) == 0) {
        text.append("\uD83D\uDE00");
      }
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    for (int i = random.nextInt(6); i > 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) (0x80 + random.nextInt(0x80));
    }
    return bytes;
  }

  private static InputStream inPieces(byte[] bytes, Random random) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] to, int offset, int length) {
        return super.read(to, offset, Math.min(length, 1 + random.nextInt(7)));
      }
    };
  }

  private static String read(Utf8Input input, Random random) throws IOException {
    StringBuilder text = new StringBuilder();
    while (true) {
      char[] piece = new char[1 + random.nextInt(9)];
      int count = input.read(piece, 0, piece.length);
      if (count < 0) {
        return text.toString();
      }
      text.append(piece, 0, count);
    }
  }

  private static List<Long> badLines(String text) {
    List<Long> lines = new ArrayList<>();
    String[] split = text.split("\r\n|\r|\n", -1);
    for (int i = 0; i < split.length; i++) {
      if (split[i].indexOf('\uFFFD') >= 0) {
        lines.add(i + 1L);
      }
    }
    return lines;
  }

  private static List<Long> remembered(Utf8Input input) {
    List<Long> lines = new ArrayList<>();
    for (long line = 1; line < 1_000; line++) {
      if (input.takeUpTo(line) != null) {
        lines.add(line);
      }
    }
    return lines;
  }
}
