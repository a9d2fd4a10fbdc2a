package io.bg3.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** {@code bg3 bench jmh}: the engine's parts, one at a time, by JMH. */
@Command(
    name = "jmh",
    description = "Measures the engine's parts with JMH.",
    footer = {
      "",
      "Names: Page, Epoch, Slab, Log, Commit, Traversal; a pattern chooses, none means",
      "all. All other arguments go to JMH: '-h' as the pattern prints its options,",
      "'-prof gc' shows allocation."
    })
final class JmhCommand implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "PATTERN", description = "Which benchmarks.")
  private String pattern;

  @Unmatched private List<String> options;

  @Override
  public Integer call() throws IOException {
    if (getClass().getResource("/META-INF/BenchmarkList") == null) {
      throw new IOException(
          "the JMH benchmarks were not generated: build with -Pjmh, as 'bin/bg3 bench jmh' does");
    }
    org.openjdk.jmh.Main.main(arguments());
    return 0;
  }

  private String[] arguments() {
    List<String> arguments = new ArrayList<>();
    if (pattern != null) {
      arguments.add(pattern);
    }
    if (options != null) {
      arguments.addAll(options);
    }
    return arguments.toArray(new String[0]);
  }
}
