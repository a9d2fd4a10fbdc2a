package io.bg3.server.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;

/** Keystores for 127.0.0.1, made by the keytool of the Java that runs the tests. */
public final class Keystores {
  /** The password of all of them. */
  public static final String PASSWORD = "test-password";

  private Keystores() {}

  /** Makes one with a key and a certificate that it signs itself. */
  public static Path make(Path file, String... more) throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "SAN=ip:127.0.0.1,dns:localhost"));
    arguments.addAll(List.of(more));
    keytool(file, arguments);
    return file;
  }

  /** The certificate in one. */
  public static Certificate certificate(Path keystore)
      throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(keystore.toFile(), PASSWORD.toCharArray()).getCertificate("server");
  }

  /** One that holds nothing but the certificate of another. */
  static Path withoutKey(Path keystore, Path directory) throws IOException, InterruptedException {
    Path certificate = directory.resolve("certificate.cer");
    Path trust = directory.resolve("trust.p12");
    keytool(keystore, List.of("-exportcert", "-alias", "server", "-file", certificate.toString()));
    keytool(
        trust,
        List.of("-importcert", "-noprompt", "-alias", "ca", "-file", certificate.toString()));
    return trust;
  }

  private static void keytool(Path keystore, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(arguments);
    command.addAll(
        List.of("-keystore", keystore.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(output);
    }
  }
}
