package io.bg3.server.access;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;

/**
 * Creates the TLS context of a server from a PKCS12 keystore. The server speaks TLS 1.3 and 1.2.
 */
public final class Tls {
  private static final String TYPE = "PKCS12";

  private Tls() {}

  /**
   * The key and certificate of a keystore, ready for connections.
   *
   * @param until when the certificate expires
   */
  record Key(SslContext context, Instant until) {}

  /**
   * Reads a keystore.
   *
   * @param password the password of the keystore and of its key
   * @throws IOException if the keystore cannot be read or has no valid certificate; the message
   *     says why
   */
  static Key read(Path keystore, String password) throws IOException {
    Path file = keystore.toAbsolutePath().normalize();
    char[] secret = password.toCharArray();
    try {
      KeyStore store = load(file, secret);
      X509Certificate certificate = requireKey(store, file);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, secret);
      SslContext context =
          SslContextBuilder.forServer(keys)
              .sslProvider(SslProvider.JDK)
              .protocols("TLSv1.3", "TLSv1.2")
              .build();
      return new Key(context, certificate.getNotAfter().toInstant());
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the keystore: file=" + file, e);
    }
  }

  private static KeyStore load(Path file, char[] password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(TYPE);
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password);
      return store;
    } catch (NoSuchFileException e) {
      throw new IOException("keystore does not exist: file=" + file, e);
    } catch (IOException e) {
      if (e.getCause() instanceof UnrecoverableKeyException) {
        throw new IOException(
            "the keystore's password is wrong: file=" + file + ", setting=server.tls.password", e);
      }
      throw new IOException("not a PKCS12 keystore: file=" + file, e);
    }
  }

  private static X509Certificate requireKey(KeyStore store, Path file)
      throws IOException, GeneralSecurityException {
    Optional<X509Certificate> certificate = Optional.empty();
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias) && store.getCertificate(alias) instanceof X509Certificate found) {
        certificate = Optional.of(found);
      }
    }
    if (certificate.isEmpty()) {
      throw new IOException("keystore has no private key with a certificate: file=" + file);
    }
    try {
      certificate.get().checkValidity();
    } catch (CertificateExpiredException e) {
      throw new IOException(
          "the certificate has expired: file="
              + file
              + ", until="
              + certificate.get().getNotAfter().toInstant(),
          e);
    }
    return certificate.get();
  }
}
