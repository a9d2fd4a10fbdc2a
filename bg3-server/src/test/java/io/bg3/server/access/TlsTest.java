package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads keystores that this Java's keytool has made, and what is none. */
class TlsTest {
  @TempDir private static Path directory;
  private static Path keystore;

  @BeforeAll
  static void make() throws Exception {
    keystore = Keystores.make(directory.resolve("server.p12"), "-validity", "2");
  }

  @Test
  void aKeystoreGivesAServersContext() throws IOException {
    assertTrue(Tls.read(keystore, Keystores.PASSWORD).context().isServer());
  }

  @Test
  void aWrongPasswordIsCalledThat() {
    assertEquals(
        "the keystore's password is wrong: file=" + keystore + ", setting=server.tls.password",
        problem(keystore, "wrong"));
    assertTrue(problem(keystore, "").contains("password is wrong"));
  }

  @Test
  void aMissingFileIsCalledThat() {
    Path none = directory.resolve("none.p12");
    assertEquals("keystore does not exist: file=" + none, problem(none, Keystores.PASSWORD));
  }

  @Test
  void anotherFileIsCalledThat() throws IOException {
    Path text = Files.writeString(directory.resolve("text.p12"), "-----BEGIN CERTIFICATE-----\n");
    assertEquals("not a PKCS12 keystore: file=" + text, problem(text, Keystores.PASSWORD));
  }

  @Test
  void aKeystoreWithoutAKeyIsCalledThat() throws Exception {
    Path trust = Keystores.withoutKey(keystore, directory);
    assertEquals(
        "keystore has no private key with a certificate: file=" + trust,
        problem(trust, Keystores.PASSWORD));
  }

  @Test
  void anExpiredCertificateIsCalledThat() throws Exception {
    Path old = Keystores.make(directory.resolve("old.p12"), "-startdate", "-10d", "-validity", "2");
    assertTrue(
        problem(old, Keystores.PASSWORD)
            .startsWith("the certificate has expired: file=" + old + ", until="));
  }

  private static String problem(Path file, String password) {
    return assertThrows(IOException.class, () -> Tls.read(file, password)).getMessage();
  }
}
