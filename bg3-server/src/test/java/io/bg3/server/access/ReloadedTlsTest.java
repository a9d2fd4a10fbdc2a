package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import javax.net.ssl.SSLSessionContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes the keystore under a context, and looks at it in place of the thread that does so. */
class ReloadedTlsTest {
  @TempDir private static Path directory;

  @Test
  void aChangedKeystoreIsUsedAndABadOneIsNot() throws Exception {
    Path first = Keystores.make(directory.resolve("first.p12"), "-validity", "2");
    Path second = Keystores.make(directory.resolve("second.p12"), "-validity", "3");
    Path file = Files.copy(first, directory.resolve("server.p12"));
    try (ReloadedTls tls = ReloadedTls.open(file, Keystores.PASSWORD)) {
      Instant before = tls.until();
      SSLSessionContext sessions = tls.sessionContext();
      tls.refresh();
      assertSame(sessions, tls.sessionContext(), "nothing has changed");

      Files.copy(second, file, StandardCopyOption.REPLACE_EXISTING);
      tls.refresh();
      Instant after = tls.until();
      assertNotEquals(before, after);
      assertNotEquals(sessions, tls.sessionContext(), "no session of before is resumed");
      assertEquals("1 0", tls.reloads() + " " + tls.failures());

      sessions = tls.sessionContext();
      Files.writeString(file, "no keystore");
      tls.refresh();
      tls.refresh();
      Files.delete(file);
      tls.refresh();
      assertThrows(IOException.class, tls::reload);
      assertSame(sessions, tls.sessionContext(), "the one from before holds");
      assertEquals(after, tls.until());
      assertEquals("1 3", tls.reloads() + " " + tls.failures());

      Files.copy(first, file);
      assertEquals(before, tls.reload());
      assertEquals("2 3", tls.reloads() + " " + tls.failures());
    }
  }
}
