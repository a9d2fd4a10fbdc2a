package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bg3 check}: reads and verifies everything in a store, or mends its property indexes. */
@Command(
    name = "check",
    description =
        "Reads and verifies a whole store and prints every fault; exit code 1 if there is one."
            + " Changes nothing, unless it is to mend property indexes.",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StoreOptions store;

  @Option(
      names = "--indexes",
      description =
          "Verify the property indexes alone, and build those anew that have a fault; exit code 1"
              + " if one cannot be built.")
  private boolean onlyIndexes;

  @Override
  public Integer call() throws IOException {
    store.requireStore();
    return onlyIndexes ? indexes() : everything();
  }

  private int indexes() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Bg3 open = StoreOpener.open(store.settings());
        Progress progress = Progress.ofCount("check", open.stats().pages())) {
      boolean ready = new PropertyIndexes(open.graph(), out).verify(progress::reach);
      out.println(
          (ready ? "all property indexes are ready" : "a property index is not ready")
              + ": data="
              + store.directory());
      out.flush();
      return ready ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  private int everything() throws IOException {
    List<String> problems;
    Optional<String> advice = Optional.empty();
    long start = System.nanoTime();
    try (Bg3 open = StoreOpener.openToRead(store.settings());
        Progress progress = Progress.ofCount("check", open.stats().pages())) {
      problems = open.check(progress::reach);
    } catch (UnreadableException e) { // the damage prevents opening the store
      Set<String> all = new LinkedHashSet<>();
      all.add(e.getMessage());
      all.addAll(Bg3.survey(store.directory()));
      problems = List.copyOf(all);
      advice = FailureAdvice.of(e);
    }
    print(problems, (System.nanoTime() - start) / 1e9);
    advice.ifPresent(spec.commandLine().getOut()::println);
    return problems.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void print(List<String> problems, double seconds) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    problems.forEach(out::println);
    out.printf(
        Locale.ROOT,
        "%s: problems=%d, data=%s, seconds=%.1f%n",
        problems.isEmpty() ? "the store is sound" : "the store is damaged",
        problems.size(),
        store.directory(),
        seconds);
    out.flush();
  }
}
