package io.bg3.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** All figures of a run, compared with those of one system: as a table and as JSON lines. */
public final class Report {
  private final String subject;
  private final List<Metric> figures;

  /**
   * @param subject the system whose ratios are shown
   */
  public Report(String subject, List<Metric> figures) {
    this.subject = subject;
    this.figures = List.copyOf(figures);
  }

  /** The figures in their order. */
  public List<Metric> figures() {
    return figures;
  }

  /**
   * The faults of the answers, a sentence for each work whose systems do not agree; empty if all
   * agree.
   */
  public List<String> disagreements() {
    List<String> found = new ArrayList<>();
    for (List<Metric> row : rows()) {
      Map<String, String> answers = new LinkedHashMap<>();
      row.forEach(figure -> answers.put(figure.system(), figure.answer()));
      answers.values().removeIf(String::isEmpty);
      if (Set.copyOf(answers.values()).size() > 1) {
        Metric first = row.get(0);
        found.add(
            "the answers differ: work="
                + first.work()
                + ", setting="
                + first.setting()
                + ", "
                + String.join(", ", answers.entrySet().stream().map(Object::toString).toList()));
      }
    }
    return found;
  }

  /** A line for each figure, as JSON; see docs/benchmarks.md for the fields. */
  public List<String> jsonLines() {
    return figures.stream().map(this::jsonLine).toList();
  }

  private String jsonLine(Metric figure) {
    List<String> fields =
        List.of(
            field("work", Json.text(figure.work())),
            field("system", Json.text(figure.system())),
            field("value", Json.number(figure.median())),
            field("unit", Json.text(figure.unit())),
            field("setting", Json.text(figure.setting())),
            field("ratio", ratios(figure)),
            field("low", Json.number(figure.low())),
            field("high", Json.number(figure.high())),
            field("rounds", Integer.toString(figure.rounds().size())));
    return "{" + String.join(", ", fields) + "}";
  }

  private static String field(String name, String value) {
    return Json.text(name) + ": " + value;
  }

  private String ratios(Metric figure) {
    List<String> ratios = new ArrayList<>();
    for (Metric other : figures) {
      double ratio = other.isOfSameKind(figure) ? figure.ratio(other) : Double.NaN;
      if (!other.system().equals(figure.system()) && !Double.isNaN(ratio)) {
        ratios.add(field(other.system(), Json.number(ratio)));
      }
    }
    return "{" + String.join(", ", ratios) + "}";
  }

  /**
   * The table: a block for each work and setting, a line for each system in it, with what an
   * operation allocates in the heap and takes of the processor. Other side figures are in the JSON
   * lines only.
   */
  public List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(line("", "median", "unit", "+-", "bytes/op", "cpu ns/op", subject + " is"));
    for (List<Metric> row : rows()) {
      Metric first = row.get(0);
      if (first.work().indexOf('.') >= 0) {
        continue;
      }
      lines.add("");
      lines.add(first.work() + "  (" + first.setting() + ")");
      Metric ours = of(subject, row);
      for (Metric figure : row) {
        lines.add(line(figure, ours));
      }
    }
    return lines;
  }

  private String line(Metric figure, Metric ours) {
    double ratio =
        ours == null || figure.system().equals(subject) ? Double.NaN : ours.ratio(figure);
    return line(
        figure.system(),
        human(figure.median()),
        figure.unit(),
        String.format(Locale.ROOT, "%.1f %%", 100 * figure.spread()),
        side(figure, "allocated"),
        side(figure, "cpu"),
        Double.isNaN(ratio) ? "" : String.format(Locale.ROOT, "%,.2fx", ratio));
  }

  private static String line(String... cells) {
    return String.format(Locale.ROOT, "  %-10s %16s %-16s %8s %9s %10s  %s", (Object[]) cells)
        .stripTrailing();
  }

  /**
   * The median of a side figure of a work, for people; empty if there is none.
   *
   * @param figure the figure of the work itself
   * @param name the side figure's name, which stands behind the work's
   */
  public String side(Metric figure, String name) {
    String work = figure.work() + "." + name;
    return figures.stream()
        .filter(
            side ->
                side.work().equals(work)
                    && side.setting().equals(figure.setting())
                    && side.system().equals(figure.system()))
        .map(side -> human(side.median()))
        .findFirst()
        .orElse("");
  }

  /** The figures of each work and setting, in the order in which each came first. */
  public List<List<Metric>> rows() {
    Map<List<String>, List<Metric>> rows = new LinkedHashMap<>();
    for (Metric figure : figures) {
      rows.computeIfAbsent(
              List.of(figure.work(), figure.setting(), figure.unit()), key -> new ArrayList<>())
          .add(figure);
    }
    return List.copyOf(rows.values());
  }

  private static Metric of(String system, List<Metric> row) {
    return row.stream().filter(f -> f.system().equals(system)).findFirst().orElse(null);
  }

  /** A number for people: whole from 100 on, with some digits behind the point below. */
  public static String human(double number) {
    double size = Math.abs(number);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", number);
    }
    return String.format(Locale.ROOT, size >= 1 ? "%.2f" : "%.4f", number);
  }
}
