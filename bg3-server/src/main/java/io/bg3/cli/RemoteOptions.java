package io.bg3.cli;

import io.bg3.transfer.remote.RemoteGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of commands that can use a running server instead of opening a store. */
final class RemoteOptions {
  private static final String PASSWORD = "BG3_PASSWORD";
  private static final String TRUST_PASSWORD = "BG3_TRUST_PASSWORD";
  private static final int PORT = 8182;

  @Option(
      names = "--remote",
      paramLabel = "HOST:PORT",
      description = "A running server instead of a store of this machine (port: 8182).")
  private String remote;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description =
          "User on that server; the password is in BG3_PASSWORD, or in the first line of the"
              + " standard input, or the command prompts for it.")
  private String user;

  @Option(names = "--tls", description = "Connect to that server with TLS.")
  private boolean tls;

  @Option(
      names = "--trust",
      paramLabel = "FILE",
      description =
          "PKCS12 or JKS file with the trusted certificates; its password is in"
              + " BG3_TRUST_PASSWORD (default: those that Java trusts).")
  private Path trust;

  /** Whether the user has named a server. */
  boolean isRemote(CommandSpec spec, StoreOptions store) {
    if (remote == null && (user != null || tls || trust != null)) {
      throw new ParameterException(
          spec.commandLine(), "--user, --tls and --trust need a server; name it with --remote");
    }
    if (remote != null && store.isNamed()) {
      throw new ParameterException(
          spec.commandLine(),
          "--remote and --data exclude each other, because the server has opened the store");
    }
    return remote != null;
  }

  /** The options as the user gave them, for a command that is printed; empty if there are none. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    if (remote != null) {
      arguments.add("--remote " + ShellWord.of(remote));
    }
    if (user != null) {
      arguments.add("--user " + ShellWord.of(user));
    }
    if (tls) {
      arguments.add("--tls");
    }
    if (trust != null) {
      arguments.add("--trust " + ShellWord.of(trust));
    }
    return arguments;
  }

  /** Connects to the server that the user has named, or to the one of this machine. */
  RemoteGraph connectOrLocal(CommandSpec spec, String graph) throws IOException {
    if (remote == null) {
      remote = "localhost";
    }
    return connect(spec, graph);
  }

  /** Connects to a graph of the server that the user has named. */
  RemoteGraph connect(CommandSpec spec, String graph) throws IOException {
    int colon = remote.lastIndexOf(':');
    String host = colon < 0 ? remote : remote.substring(0, colon);
    int port = PORT;
    try {
      port = colon < 0 ? PORT : Integer.parseInt(remote.substring(colon + 1));
    } catch (NumberFormatException e) {
      throw new ParameterException(spec.commandLine(), "not HOST:PORT: remote=" + remote, e);
    }
    if (host.isEmpty() || port < 1 || port > 65_535) {
      throw new ParameterException(spec.commandLine(), "not HOST:PORT: remote=" + remote);
    }
    return new RemoteGraph(
        new RemoteGraph.Address(
            host,
            port,
            user,
            user == null ? null : password(),
            tls,
            trust,
            System.getenv(TRUST_PASSWORD)),
        graph);
  }

  private String password() throws IOException {
    String password = System.getenv(PASSWORD);
    return password != null ? password : new String(PasswordPrompt.readKnown(user));
  }
}
