package io.bg3.bench.paper;

import io.bg3.bench.report.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The figures that the BG3 paper reports, so that JSON lines and charts have them beside those that
 * were measured. Where the paper has another unit than the experiment here, its own is kept.
 */
public final class Reported {
  private static final List<Metric> FIGURES =
      List.of(
          of("figure-eight-follow", "the paper, at most", "times ByteGraph", true, 1.68),
          of("figure-eight-recommendation", "the paper, at most", "times ByteGraph", true, 4.06),
          of("figure-eight-risk-control", "the paper, at most", "times ByteGraph", true, 2.68),
          of("figure-nine", "the paper, one delta", "reads/look-up", false, 2.4),
          of("figure-nine", "the paper, chain", "reads/look-up", false, 3.87),
          of("figure-ten", "the paper, one delta", "MB/s", false, 70),
          of("figure-ten", "the paper, chain", "MB/s", false, 64.5),
          of("figure-eleven", "the paper, trees=1", "commits/s", true, 50_000),
          of("figure-eleven", "the paper, trees=64", "commits/s", true, 90_000),
          of("figure-eleven", "the paper, trees=100000", "commits/s", true, 150_000),
          of("figure-eleven", "the paper, trees=1000000", "commits/s", true, 289_000),
          of("figure-eleven-memory", "the paper, trees=100000", "times trees=1", false, 3.37),
          of("figure-eleven-memory", "the paper, trees=1000000", "times trees=100000", false, 2.52),
          of("table-two", "the paper, dirty ratio", "MB/s", false, 15),
          of("table-two", "the paper, update gradient", "MB/s", false, 12.5),
          of("table-two-ttl", "the paper, without a time to live", "MB/s", false, 8),
          of("table-two-ttl", "the paper, with a time to live", "MB/s", false, 0));

  private Reported() {}

  private static Metric of(
      String work, String setting, String unit, boolean higherIsBetter, double value) {
    return Metric.single(work, Metric.REPORTED, setting, unit, higherIsBetter, value);
  }

  /** The measured figures, and behind them what the paper reports of the works among them. */
  public static List<Metric> beside(List<Metric> measured) {
    Set<String> works = measured.stream().map(Metric::work).collect(Collectors.toSet());
    List<Metric> all = new ArrayList<>(measured);
    FIGURES.stream().filter(each -> works.contains(each.work())).forEach(all::add);
    return all;
  }
}
