package io.bg3.linkbench.measure;

import io.bg3.linkbench.workload.Operation;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * Latency over time as a PNG: for each operation a line of the median and one of p99; the
 * operations of each second; and grey where a checkpoint ended.
 */
public final class Chart {
  private static final int WIDTH = 1_100;
  private static final int HEIGHT = 800;
  private static final int MEDIAN = 50;
  private static final int HIGH = 99;
  private static final Map<Operation, Color> COLORS = colors();
  private static final float GOLDEN_ANGLE = 0.381_966f;
  private static final double MILLIS_IN_SECOND = 1e3;
  private static final double NANOS_IN_MICRO = 1e3;

  private Chart() {}

  /** Draws the results into a file. */
  public static void write(Results results, String title, Path file) throws IOException {
    CombinedDomainXYPlot plots = new CombinedDomainXYPlot(new NumberAxis("seconds"));
    for (XYPlot plot :
        List.of(
            plot(results, MEDIAN, "median in us"),
            plot(results, HIGH, "p99 in us"),
            throughput(results))) {
      markCheckpoints(results, plot);
      plots.add(plot);
    }
    JFreeChart chart = new JFreeChart(title, plots);
    chart.setBackgroundPaint(Color.WHITE);
    ChartUtils.saveChartAsPNG(file.toFile(), chart, WIDTH, HEIGHT);
  }

  private static XYPlot plot(Results results, int percentile, String name) {
    Map<Operation, XYSeries> lines = new EnumMap<>(Operation.class);
    for (Interval interval : results.intervals()) {
      interval
          .histograms()
          .forEach(
              (operation, histogram) ->
                  lines
                      .computeIfAbsent(operation, Chart::series)
                      .add(
                          seconds(results, interval.end()),
                          Math.max(1, histogram.getValueAtPercentile(percentile))
                              / NANOS_IN_MICRO));
    }
    XYSeriesCollection data = new XYSeriesCollection();
    lines.values().forEach(data::addSeries);
    LogAxis axis = new LogAxis(name);
    axis.setNumberFormatOverride(new DecimalFormat("#,##0.###"));
    XYPlot plot = plot(data, axis);
    int series = 0;
    for (Operation operation : lines.keySet()) { // one colour an operation, named once
      plot.getRenderer().setSeriesPaint(series, COLORS.get(operation));
      plot.getRenderer().setSeriesVisibleInLegend(series++, percentile == MEDIAN);
    }
    return plot;
  }

  private static XYPlot throughput(Results results) {
    XYSeries all = new XYSeries("all operations");
    for (Throughput.Second second : new Throughput(results.intervals()).seconds()) {
      all.add(seconds(results, second.end()), second.rate());
    }
    return plot(new XYSeriesCollection(all), new NumberAxis("operations a second"));
  }

  private static XYPlot plot(XYSeriesCollection data, ValueAxis axis) {
    XYLineAndShapeRenderer lines = new XYLineAndShapeRenderer(true, data.getItemCount(0) < 2);
    lines.setDefaultStroke(new BasicStroke(1.5f));
    lines.setAutoPopulateSeriesStroke(false);
    XYPlot plot = new XYPlot(data, null, axis, lines);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
    return plot;
  }

  /** A colour for each operation, round the circle of hues. */
  private static Map<Operation, Color> colors() {
    Map<Operation, Color> colors = new EnumMap<>(Operation.class);
    float hue = 0;
    for (Operation operation : Operation.values()) {
      colors.put(operation, Color.getHSBColor(hue, 0.85f, 0.8f));
      hue += GOLDEN_ANGLE;
    }
    return colors;
  }

  private static XYSeries series(Operation operation) {
    return new XYSeries(operation.name());
  }

  private static void markCheckpoints(Results results, XYPlot plot) {
    for (Interval interval : results.intervals()) {
      if (interval.checkpoints() > 0) {
        plot.addDomainMarker(
            new IntervalMarker(
                seconds(results, interval.end()) - 1, // a shorter one can be seen too
                seconds(results, interval.end()),
                Color.LIGHT_GRAY),
            Layer.BACKGROUND);
      }
    }
  }

  private static double seconds(Results results, long millis) {
    return (millis - results.intervals().get(0).begin()) / MILLIS_IN_SECOND;
  }
}
