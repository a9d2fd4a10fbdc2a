package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.core.graph.LabelSchema;
import io.bg3.export.ExportSummary;
import io.bg3.export.Exporter;
import io.bg3.transfer.GraphFileWriter;
import io.bg3.transfer.GraphSource;
import io.bg3.transfer.Losses;
import io.bg3.transfer.StoreSource;
import io.bg3.transfer.definitions.DefinedGraph;
import io.bg3.transfer.definitions.DefinitionName;
import io.bg3.transfer.definitions.DefinitionStatus;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.StoreDefinitions;
import io.bg3.transfer.remote.RemoteDefinitions;
import io.bg3.transfer.remote.RemoteGraph;
import io.bg3.transfer.remote.RemoteSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bg3 export}: writes a store that no other process has open, or the graph of a server, to
 * files that {@code bg3 load} reads.
 */
@Command(
    name = "export",
    description =
        "Writes the graph of a store, or with --remote of a running server, as CSV, GraphML,"
            + " GraphSON 3 with a vertex a line, or Gryo.",
    footer = {
      "",
      "The ending tells the format: .graphml, .xml; .graphson, .json; .gryo, .kryo.",
      "For CSV name a directory and use --format csv: vertices.csv and edges.csv are",
      "written there.",
      "",
      "Families, declared edge labels, schemas and property indexes are written to",
      "TARGET.definitions.json, for CSV to definitions.json in the directory, and load",
      "applies them. Hidden links are in no export.",
      "",
      "A graph that the format cannot hold is refused before a file exists:",
      "  gryo      arrays of booleans; several labels of a vertex",
      "  graphson  arrays except those of bytes; unpaired surrogates in text",
      "            several labels of a vertex",
      "  graphml   types other than boolean, int, long, float, double, string; several",
      "            values under one key; meta-properties; several labels of a vertex;",
      "            characters that XML forbids",
      "  csv       types other than those that load names; meta-properties; equal",
      "            values under one key; empty text",
      "--lossy writes text for values of other types, leaves the rest out, and counts",
      "both."
    },
    mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StoreOptions store;
  @Mixin private RemoteOptions remote;
  @Mixin private FormatOption format;

  @Option(
      names = "--no-definitions",
      description = "Leave out families, declared edge labels, schemas and property indexes.")
  private boolean noDefinitions;

  @Option(names = "--force", description = "Replace the output of an earlier export.")
  private boolean force;

  @Option(names = "--lossy", description = "Drop the data that the format cannot hold.")
  private boolean lossy;

  @Parameters(paramLabel = "TARGET", description = "The file, or for CSV the directory.")
  private Path target;

  @Override
  public Integer call() throws IOException {
    boolean isRemote = remote.isRemote(spec, store);
    GraphFileWriter writer = formatOfTarget().writer();
    Exporter exporter = new Exporter(writer, target, force);
    exporter.check();
    Losses losses = new Losses(lossy);
    if (isRemote) {
      try (RemoteGraph graph = remote.connect(spec, store.graph());
          GraphSource source = new RemoteSource(graph)) {
        Optional<Definitions> definitions = definitions(new RemoteDefinitions(graph));
        ExportSummary summary = export(source, definitions, exporter, writer.passes(), losses);
        print(summary, definitions, exporter);
      }
      return 0;
    }
    store.requireStore();
    // the age limit bounds old versions, and here no other transaction writes the store
    try (Bg3 open = StoreOpener.openToRead(store.settings().with(Setting.TRANSACTION_AGE, "0"));
        GraphSource source = new StoreSource(open.graph(), losses)) {
      Optional<Definitions> definitions = definitions(new StoreDefinitions(open.graph()));
      ExportSummary summary = export(source, definitions, exporter, writer.passes(), losses);
      print(summary, definitions, exporter);
    }
    return 0;
  }

  /**
   * The definitions to write. A schema that elements break is left out, since a load with it would
   * refuse them. Others are written, and the user is told which are not verified or not built yet.
   */
  private Optional<Definitions> definitions(DefinedGraph graph) throws IOException {
    if (noDefinitions) {
      return Optional.empty();
    }
    PrintWriter err = spec.commandLine().getErr();
    Set<DefinitionName> failed = new HashSet<>();
    for (DefinitionStatus status : graph.statuses()) {
      boolean isSchema = status.name().kind() == DefinitionName.Kind.SCHEMA;
      boolean isIndex = status.name().kind() == DefinitionName.Kind.INDEX;
      if (isSchema && status.problem() != null) {
        failed.add(status.name());
        err.println("a schema is left out, because elements break it: " + status);
      } else if (status.problem() != null) {
        err.println(
            (isIndex
                    ? "an index is written, though it could not be built: "
                    : "an edge label is written in its present form: ")
                + status);
      } else if (status.isWorking() && status.isRule()) {
        err.println(
            (isIndex
                    ? "an index is not built yet; a load fails to build it if elements share a"
                        + " value: "
                    : "a rule is not verified yet; a load refuses rows that break it: ")
                + status.name());
      }
    }
    err.flush();
    Predicate<LabelSchema> isFailed = schema -> failed.contains(DefinitionName.of(schema));
    return Optional.of(graph.definitions().withoutSchemas(isFailed));
  }

  private ExportSummary export(
      GraphSource source,
      Optional<Definitions> definitions,
      Exporter exporter,
      int passes,
      Losses losses)
      throws IOException {
    long count = (source.vertexCount() + source.edgeCount()) * passes;
    try (ShutdownReport stop = new ShutdownReport(spec, () -> "nothing was written to " + target);
        Progress progress = Progress.ofCount("export", count)) {
      assert stop != null;
      return exporter.export(source, definitions, losses, progress::advance);
    }
  }

  private FileFormat formatOfTarget() {
    FileFormat known = format.of(target, spec);
    if (!format.isSaid() && known == FileFormat.CSV) {
      throw new ParameterException(
          spec.commandLine(),
          "CSV is a directory of two files: target="
              + target
              + "\nName a directory and use --format csv.");
    }
    return known;
  }

  private void print(ExportSummary summary, Optional<Definitions> definitions, Exporter exporter) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "exported %s in %.1f s (%,d bytes)%n",
        Counts.of(summary.vertices(), summary.edges()),
        summary.seconds(),
        summary.bytes());
    if (lossy) {
      out.printf(Locale.ROOT, "dropped or written as text: %,d%n", summary.losses());
    }
    out.println("written to " + target.toAbsolutePath().normalize());
    if (definitions.isPresent()) {
      out.println("definitions in " + exporter.definitionsFile() + ": " + definitions.get());
    }
    out.flush();
    if (summary.losses() > 0 && definitions.isPresent() && hasRules(definitions.get())) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "values were dropped or written as text: count="
              + summary.losses()
              + "; schemas or sort keys may refuse those rows at a load. Edit "
              + exporter.definitionsFile()
              + ", or load with --no-definitions.");
      err.flush();
    }
  }

  /** Whether some values are required, or those of some types. */
  private static boolean hasRules(Definitions definitions) {
    return !definitions.schemas().isEmpty()
        || definitions.labels().stream().anyMatch(label -> label.form().sortKey() != null);
  }
}
