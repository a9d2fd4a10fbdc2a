package io.bg3.bench.report;

import java.awt.Color;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.category.StatisticalBarRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.statistics.DefaultStatisticalCategoryDataset;

/**
 * Bar charts as PNG files, one for each work and unit: a group for each setting, a bar for each
 * system, on a logarithmic scale, with half the range of the rounds as whiskers. The scale has no
 * place for a figure of 0 or below, which is written where its bar would stand. Figures of the
 * paper in another unit stand below the title.
 */
public final class Charts {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 500;
  private static final int MARGIN = 3;

  private Charts() {}

  /**
   * Writes the charts beside a file and named after it.
   *
   * @return the names of the charts' files
   */
  public static List<String> write(Report report, Path beside) throws IOException {
    String name = beside.getFileName().toString().replaceFirst("\\.[a-z]+$", "");
    Map<String, List<Metric>> charts = new LinkedHashMap<>();
    for (Metric figure : report.figures()) {
      if (figure.work().indexOf('.') < 0) {
        String title = figure.work() + " in " + figure.unit();
        charts.computeIfAbsent(title, key -> new ArrayList<>()).add(figure);
      }
    }
    List<String> written = new ArrayList<>();
    charts.values().removeIf(figures -> figures.stream().allMatch(Metric::isReported));
    for (Map.Entry<String, List<Metric>> chart : charts.entrySet()) {
      String title = chart.getKey();
      String file = name + "-" + fileName(title);
      File png = beside.resolveSibling(file).toFile();
      ChartUtils.saveChartAsPNG(
          png,
          chart(title, chart.getValue(), others(report, chart.getValue().get(0))),
          WIDTH,
          HEIGHT);
      written.add(file);
    }
    return written;
  }

  private static String fileName(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-").replaceFirst("-$", "")
        + ".png";
  }

  /** What the paper reports of a work in other units than that of a figure. */
  private static List<Metric> others(Report report, Metric figure) {
    return report.figures().stream()
        .filter(each -> each.isReported() && each.work().equals(figure.work()))
        .filter(each -> !each.unit().equals(figure.unit()))
        .toList();
  }

  private static JFreeChart chart(String title, List<Metric> figures, List<Metric> others) {
    DefaultStatisticalCategoryDataset bars = new DefaultStatisticalCategoryDataset();
    double low =
        figures.stream().mapToDouble(Metric::median).filter(each -> each > 0).min().orElse(1);
    double high = figures.stream().mapToDouble(Metric::high).max().orElse(1);
    high = Math.max(low, high);
    for (Metric figure : figures) {
      boolean hasBar = figure.median() > 0;
      double half = hasBar ? (figure.high() - figure.low()) / 2 : 0;
      double length = hasBar ? figure.median() : low / MARGIN;
      bars.add(length, half, figure.system(), figure.setting());
    }
    boolean higherIsBetter = figures.get(0).higherIsBetter();
    JFreeChart chart =
        ChartFactory.createBarChart(
            title + (higherIsBetter ? " (more is better)" : " (less is better)"),
            "",
            figures.get(0).unit(),
            bars);
    for (Metric other : others) {
      chart.addSubtitle(
          new TextTitle(
              other.setting() + ": " + Report.human(other.median()) + " " + other.unit()));
    }
    style(chart.getCategoryPlot(), figures.get(0).unit(), low, high);
    labelWithoutBars(chart.getCategoryPlot(), figures);
    return chart;
  }

  /** Writes the figures that have no bar where it would stand. */
  private static void labelWithoutBars(CategoryPlot plot, List<Metric> figures) {
    Map<List<String>, String> texts = new HashMap<>();
    for (Metric figure : figures) {
      if (figure.median() <= 0) {
        texts.put(List.of(figure.system(), figure.setting()), Report.human(figure.median()));
      }
    }
    plot.getRenderer()
        .setDefaultItemLabelGenerator(
            new StandardCategoryItemLabelGenerator() {
              @Override
              public String generateLabel(CategoryDataset bars, int row, int column) {
                return texts.get(
                    List.of(bars.getRowKey(row).toString(), bars.getColumnKey(column).toString()));
              }
            });
    plot.getRenderer().setDefaultItemLabelsVisible(true);
  }

  /** A logarithmic axis around the bars, and bars with marks for the lowest and highest round. */
  private static void style(CategoryPlot plot, String unit, double low, double high) {
    LogAxis axis = new LogAxis(unit);
    axis.setRange(low / MARGIN, high * MARGIN);
    axis.setNumberFormatOverride(new DecimalFormat("#,##0.###"));
    plot.setRangeAxis(axis);
    BarRenderer renderer = new StatisticalBarRenderer();
    renderer.setBase(low / MARGIN);
    renderer.setBarPainter(new StandardBarPainter());
    plot.setRenderer(renderer);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
  }
}
