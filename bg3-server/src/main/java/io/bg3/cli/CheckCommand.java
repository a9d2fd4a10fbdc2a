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
import picocli.CommandLine.Spec;

/** {@code bg3 check}: reads and verifies everything in a store. */
@Command(
    name = "check",
    description =
        "Reads and verifies a whole store and prints every fault; exit code 1 if there is one."
            + " Changes nothing.",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StoreOptions store;

  @Override
  public Integer call() throws IOException {
    store.requireStore();
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
