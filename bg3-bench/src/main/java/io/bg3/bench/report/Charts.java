package io.bg3.bench.report;

import java.awt.Color;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.category.StatisticalBarRenderer;
import org.jfree.data.statistics.DefaultStatisticalCategoryDataset;

/**
 * Bar charts as PNG files, one for each work and unit: a group for each setting, a bar for each
 * system, on a logarithmic scale, with half the range of the rounds as whiskers.
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
      if (figure.work().indexOf('.') < 0 && figure.median() > 0) {
        String title = figure.work() + " in " + figure.unit();
        charts.computeIfAbsent(title, key -> new ArrayList<>()).add(figure);
      }
    }
    List<String> written = new ArrayList<>();
    for (Map.Entry<String, List<Metric>> chart : charts.entrySet()) {
      String title = chart.getKey();
      String file = name + "-" + fileName(title);
      File png = beside.resolveSibling(file).toFile();
      ChartUtils.saveChartAsPNG(png, chart(title, chart.getValue()), WIDTH, HEIGHT);
      written.add(file);
    }
    return written;
  }

  private static String fileName(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-").replaceFirst("-$", "")
        + ".png";
  }

  private static JFreeChart chart(String title, List<Metric> figures) {
    DefaultStatisticalCategoryDataset bars = new DefaultStatisticalCategoryDataset();
    double low = Double.MAX_VALUE;
    double high = 0;
    for (Metric figure : figures) {
      double half = (figure.high() - figure.low()) / 2;
      bars.add(figure.median(), half, figure.system(), figure.setting());
      low = Math.min(low, figure.median());
      high = Math.max(high, figure.high());
    }
    boolean higherIsBetter = figures.get(0).higherIsBetter();
    JFreeChart chart =
        ChartFactory.createBarChart(
            title + (higherIsBetter ? " (more is better)" : " (less is better)"),
            "",
            figures.get(0).unit(),
            bars);
    style(chart.getCategoryPlot(), figures.get(0).unit(), low, high);
    return chart;
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
