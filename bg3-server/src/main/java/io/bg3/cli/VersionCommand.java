package io.bg3.cli;

import org.apache.tinkerpop.gremlin.util.Gremlin;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bg3 version}: prints the versions of BG3 and of the JVM. */
@Command(
    name = "version",
    description = "Prints the versions of BG3, TinkerPop and Java.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class)
final class VersionCommand implements Runnable, IVersionProvider {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    for (String line : getVersion()) {
      spec.commandLine().getOut().println(line);
    }
    spec.commandLine().getOut().flush();
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "bg3 " + bg3(),
      "tinkerpop " + Gremlin.version(),
      "java " + System.getProperty("java.runtime.version")
    };
  }

  private static String bg3() {
    String version = VersionCommand.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
