package io.bg3.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A file by which one process tells another what it measured: a line a figure, its parts separated
 * by tabs, and a line with fewer parts for each work that the system could not do; the first line
 * holds the settings of the system. It appears as a whole or not at all.
 */
public final class MetricFile {
  private static final String TAB = "\t";
  private static final int PARTS = 7;
  private static final int PARTS_OF_OMISSION = 3;

  private MetricFile() {}

  /**
   * The content of such a file.
   *
   * @param settings of the system that was measured
   * @param omitted the works that it could not do
   */
  public record Content(String settings, List<Metric> figures, List<Omission> omitted) {
    /** The content where the system could do everything. */
    public Content(String settings, List<Metric> figures) {
      this(settings, figures, List.of());
    }
  }

  /** Writes a file; no part of a figure or an omission holds a tab or a line's end. */
  public static void write(Path file, Content content) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(content.settings());
    for (Metric figure : content.figures()) {
      List<String> parts = new ArrayList<>();
      parts.add(figure.work());
      parts.add(figure.system());
      parts.add(figure.setting());
      parts.add(figure.unit());
      parts.add(Boolean.toString(figure.higherIsBetter()));
      parts.add(figure.answer());
      parts.add(String.join(" ", figure.rounds().stream().map(String::valueOf).toList()));
      lines.add(String.join(TAB, parts));
    }
    for (Omission omission : content.omitted()) {
      lines.add(String.join(TAB, omission.work(), omission.system(), omission.reason()));
    }
    Path half = file.resolveSibling(file.getFileName() + ".half");
    Files.write(half, lines);
    Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Reads what {@link #write} wrote. */
  public static Content read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<Metric> figures = new ArrayList<>();
    List<Omission> omitted = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] parts = line.split(TAB, PARTS);
      if (parts.length == PARTS_OF_OMISSION) {
        omitted.add(new Omission(parts[0], parts[1], parts[2]));
        continue;
      }
      List<Double> rounds = new ArrayList<>();
      for (String round : parts[6].split(" ", -1)) {
        rounds.add(Double.valueOf(round));
      }
      figures.add(
          new Metric(
              parts[0],
              parts[1],
              parts[2],
              parts[3],
              Boolean.parseBoolean(parts[4]),
              parts[5],
              rounds));
    }
    return new Content(lines.get(0), figures, omitted);
  }
}
