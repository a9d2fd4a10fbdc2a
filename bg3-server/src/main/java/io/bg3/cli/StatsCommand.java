package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.FamilyPages;
import io.bg3.FamilyUse;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreStats;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.storage.extent.Stream;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bg3 stats}: prints the number of elements in a store and the sizes of its parts. */
@Command(
    name = "stats",
    description = "Prints the number of vertices and edges of a store and the sizes of its parts.",
    mixinStandardHelpOptions = true)
final class StatsCommand implements Callable<Integer> {
  /** Enough for a ratio, and read within a second. */
  private static final int SAMPLED_PAGES = 1_000;

  @Spec private CommandSpec spec;
  @Mixin private StoreOptions store;

  @Override
  public Integer call() throws IOException {
    store.requireStore();
    try (Bg3 open = StoreOpener.openToRead(store.settings())) {
      PrintWriter out = spec.commandLine().getOut();
      out.println("graph " + store.graph() + ", data in " + store.directory());
      print(out, open.graph());
      StoreStats stats = open.stats();
      print(out, stats, open.sampleImages(SAMPLED_PAGES));
      print(out, stats.families(), open.familyPages());
      print(out, store.settings());
      out.flush();
    }
    return 0;
  }

  private static void print(PrintWriter out, GraphStore graph) {
    try (GraphTransaction transaction = graph.beginReadOnly()) {
      out.println();
      line(out, "vertices", transaction.vertexCount());
      for (String label : graph.vertexLabels()) {
        line(out, "  " + label, transaction.vertexCount(label));
      }
      Map<String, Long> edges = transaction.edgeCounts(); // one scan if any label has a TTL
      line(out, "edges", edges.values().stream().mapToLong(Long::longValue).sum());
      for (String label : graph.edgeLabels()) {
        line(out, "  " + label, edges.getOrDefault(label, 0L));
      }
      line(out, "property keys", graph.propertyKeys().size());
    }
  }

  private static void print(PrintWriter out, StoreStats stats, Map<Stream, Double> ratios) {
    out.println();
    out.println(
        "bytes of files               files         written            live  compressed to");
    stats
        .streams()
        .forEach(
            (stream, bytes) ->
                out.printf(
                    Locale.ROOT,
                    "  %-24s %,7d %,15d %,15d%s%n",
                    stream.name().toLowerCase(Locale.ROOT),
                    bytes.extents(),
                    bytes.written(),
                    bytes.live(),
                    percent(ratios.get(stream))));
    out.printf(Locale.ROOT, "  %-24s %7s %,15d%n", "log", "", stats.logBytes());
    out.println();
    printTenths(out, stats, "files by percent of garbage", StoreStats.StreamBytes::byGarbage);
    printTenths(
        out, stats, "files by percent of garbage lately", StoreStats.StreamBytes::byGradient);
    printAges(out, stats);
    out.println("bytes of files for each live byte");
    stats
        .streams()
        .forEach((stream, bytes) -> ratio(out, "  " + name(stream), bytes.amplification()));
    ratio(out, "  pages and values", stats.spaceAmplification());
    out.println("bytes written since the store was made");
    line(out, "  to files", stats.appendedBytes());
    line(out, "    of them moved", stats.movedBytes());
    line(out, "  to the log", stats.loggedEverBytes());
    ratio(out, "  for each byte of the log", stats.writeAmplificationEver());
    out.println();
    out.println("bytes of memory");
    line(out, "  budget", stats.budgetBytes());
    line(out, "  used", stats.usedBytes());
    line(out, "  held", stats.heldBytes());
    line(out, "  in pages", stats.blockBytes());
    line(out, "  in large values", stats.largeValues().bytes());
    line(out, "pages", stats.pages());
  }

  /** The files of families, and the pages and trees of each and of all else. */
  private static void print(PrintWriter out, List<FamilyUse> families, List<FamilyPages> pages) {
    out.println();
    if (!families.isEmpty()) {
      out.println(
          "families of edge labels            ttl ms   files         written            live");
      for (FamilyUse family : families) {
        out.printf(
            Locale.ROOT,
            "  %-24s %,14d %,7d %,15d %,15d%n",
            family.title(),
            family.ttlMillis(),
            family.extents(),
            family.written(),
            family.live());
      }
      out.println();
    }
    out.println("pages by state                in memory    topology  in storage       dirty");
    pages.forEach(
        each ->
            out.printf(
                Locale.ROOT,
                "  %-24s %,12d %,11d %,11d %,11d%n",
                title(families, each.family()),
                each.whole(),
                each.topology(),
                each.stored(),
                each.dirty()));
    out.println();
    out.println(
        "trees of edges by pages             1     < 10    < 100  < 1,000     more  in storage");
    for (FamilyPages each : pages) {
      out.printf(Locale.ROOT, "  %-24s", title(families, each.family()));
      each.trees().forEach(trees -> out.printf(Locale.ROOT, " %,8d", trees));
      out.printf(Locale.ROOT, " %,11d%n", each.treesInStorage());
    }
  }

  private static String title(List<FamilyUse> families, int family) {
    return families.stream()
        .filter(each -> each.family() == family)
        .map(FamilyUse::title)
        .findFirst()
        .orElse("all others");
  }

  private static void printTenths(
      PrintWriter out,
      StoreStats stats,
      String title,
      Function<StoreStats.StreamBytes, List<Integer>> figures) {
    out.printf(
        Locale.ROOT,
        "%-35s 0-    10-    20-    30-    40-    50-    60-    70-    80-    90-%n",
        title);
    stats.streams().forEach((stream, bytes) -> printFiles(out, stream, figures.apply(bytes)));
    out.println();
  }

  private static void printAges(PrintWriter out, StoreStats stats) {
    out.println("files by age of the newest        < min    < h    < d < week  older");
    stats.streams().forEach((stream, bytes) -> printFiles(out, stream, bytes.byAge().values()));
    out.println();
  }

  private static void printFiles(PrintWriter out, Stream stream, Collection<Integer> files) {
    out.printf(Locale.ROOT, "  %-30s", name(stream));
    files.forEach(number -> out.printf(Locale.ROOT, " %,6d", number));
    out.println();
  }

  private static String name(Stream stream) {
    return stream.name().toLowerCase(Locale.ROOT);
  }

  private static void ratio(PrintWriter out, String name, double ratio) {
    out.printf(Locale.ROOT, "%-26s %15.2f%n", name, ratio);
  }

  private static String percent(Double ratio) {
    return ratio == null ? "" : String.format(Locale.ROOT, " %,12.0f %%", 100 * ratio);
  }

  private static void print(PrintWriter out, Settings settings) {
    out.println();
    out.println("settings");
    for (Setting setting : Setting.values()) {
      out.printf(
          Locale.ROOT,
          "  %-36s %s%s%n",
          setting.key(),
          settings.text(setting),
          settings.isSet(setting) ? "" : " (default)");
    }
  }

  private static void line(PrintWriter out, String name, long number) {
    out.printf(Locale.ROOT, "%-26s %,15d%n", name, number);
  }
}
