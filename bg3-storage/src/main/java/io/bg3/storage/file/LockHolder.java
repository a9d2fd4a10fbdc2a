package io.bg3.storage.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that holds the lock of a store: the content of the lock file, in a form that people
 * can read.
 *
 * <pre>
 *  offset  size  content
 *       0    11  "BG3 lock 1" and a newline: kind and version
 *      11     …  "pid " the process id in decimal, and a newline
 *       …     …  "host " the host's name, and a newline
 *       …     …  spaces
 *     255     1  a newline
 * </pre>
 *
 * All is ASCII; the file has 256 bytes and is written at once. It has no checksum: what counts is
 * the operating system's lock on it, the text only says whom to ask. A text that cannot be read
 * names nobody.
 *
 * @param pid process id, {@link #UNKNOWN} if nobody is named
 * @param host host name, {@code unknown} if nobody is named
 */
record LockHolder(long pid, String host) {
  static final int BYTES = 256;
  static final long UNKNOWN = 0;
  static final LockHolder NOBODY = new LockHolder(UNKNOWN, "unknown");

  private static final int MAX_HOST = 200;
  private static final Pattern TEXT =
      Pattern.compile("BG3 lock 1\npid ([1-9][0-9]{0,17})\nhost ([!-~]{1,200})\n *\n");

  /** This process on this host. */
  static LockHolder self() {
    String host = hostName().replaceAll("[^!-~]", "?");
    return new LockHolder(
        ProcessHandle.current().pid(), host.substring(0, Math.min(host.length(), MAX_HOST)));
  }

  byte[] encode() {
    StringBuilder text = new StringBuilder();
    text.append("BG3 lock 1\npid ").append(pid).append("\nhost ").append(host).append('\n');
    text.append(" ".repeat(BYTES - 1 - text.length())).append('\n');
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Decodes a lock file; anything but what {@link #encode} wrote is {@link #NOBODY}. */
  static LockHolder decode(byte[] bytes) {
    Matcher matcher = TEXT.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    return matcher.matches()
        ? new LockHolder(Long.parseLong(matcher.group(1)), matcher.group(2))
        : NOBODY;
  }

  /** Whether the named process can be the one that holds the lock now. */
  boolean isPlausible() {
    return pid != UNKNOWN && (!host.equals(self().host) || ProcessHandle.of(pid).isPresent());
  }

  private static String hostName() {
    try {
      // Not InetAddress: it may ask a name server and wait for seconds.
      return orUnknown(Files.readString(Path.of("/proc/sys/kernel/hostname")).trim());
    } catch (IOException e) {
      String name = System.getenv("HOSTNAME");
      return orUnknown(name == null ? System.getenv("COMPUTERNAME") : name);
    }
  }

  private static String orUnknown(String name) {
    return name == null || name.isEmpty() ? NOBODY.host : name;
  }
}
