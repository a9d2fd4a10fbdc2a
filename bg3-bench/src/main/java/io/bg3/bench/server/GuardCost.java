package io.bg3.bench.server;

import io.bg3.bench.report.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The measurement of one request: rounds with BG3's server and with the stock server by turns, and
 * what the guard costs.
 */
public final class GuardCost {
  /** The name of BG3's server. */
  public static final String GUARDED = "bg3";

  /** The name of TinkerPop's own. */
  public static final String STOCK = "gremlin-server";

  private static final int WARM_ROUNDS = 1;
  private static final int COMPARED = 20;
  private static final int SIDE = 4; // figures of each server

  private final Request request;
  private final Form form;
  private final int count;
  private final int vertices;
  private final List<Clients.Round> guarded = new ArrayList<>();
  private final List<Clients.Round> stock = new ArrayList<>();
  private String answers = "";
  private String stockAnswers = "";

  /**
   * A measurement that has not begun.
   *
   * @param form in which the request is sent
   * @param count of clients at once
   * @param vertices of the graph; they have the ids from 1
   */
  public GuardCost(Request request, Form form, int count, int vertices) {
    this.request = request;
    this.form = form;
    this.count = count;
    this.vertices = vertices;
  }

  /** Asks both servers and measures nothing, so that their code is compiled. */
  public void warm(Clients own, Clients other, double seconds) {
    var unused = round(own, seconds);
    var unusedToo = round(other, seconds);
  }

  /**
   * Measures. Which server is asked first alternates, so that what changes with time changes both.
   *
   * @param rounds with each server, after one of warm-up
   * @param seconds of a round
   */
  public void measure(Clients own, Clients other, int rounds, double seconds) {
    answers = answers(own);
    stockAnswers = answers(other);
    for (int round = -WARM_ROUNDS; round < rounds; round++) {
      boolean ownFirst = round % 2 == 0;
      Clients.Round first = round(ownFirst ? own : other, seconds);
      Clients.Round second = round(ownFirst ? other : own, seconds);
      if (round >= 0) {
        guarded.add(ownFirst ? first : second);
        stock.add(ownFirst ? second : first);
      }
    }
  }

  private Clients.Round round(Clients clients, double seconds) {
    return clients.round(this::ask, new AtomicLong()::getAndIncrement, seconds);
  }

  private List<?> ask(Remote remote, long n) {
    return request.ask(remote, form, 1 + n % vertices);
  }

  private String answers(Clients clients) {
    List<List<?>> answers = new ArrayList<>();
    for (int i = 0; i < COMPARED; i++) {
      answers.add(clients.answer(this::ask, (long) i * vertices / COMPARED));
    }
    return answers.toString();
  }

  /**
   * The time that a request takes above that of the stock server, in percent; median of all rounds.
   */
  public double percent() {
    return median(round -> stock.get(round).rate() / guarded.get(round).rate());
  }

  /** The processor time that a request takes above that of the stock server, likewise. */
  public double cpuPercent() {
    return median(round -> guarded.get(round).cpu() / stock.get(round).cpu());
  }

  private double median(IntToDoubleFunction ratio) {
    double[] ratios = IntStream.range(0, guarded.size()).mapToDouble(ratio).sorted().toArray();
    int middle = ratios.length / 2;
    double median =
        ratios.length % 2 == 1 ? ratios[middle] : (ratios[middle - 1] + ratios[middle]) / 2;
    return 100 * (median - 1);
  }

  /** The figures of both servers. */
  public List<Metric> figures() {
    List<Metric> figures = new ArrayList<>();
    for (boolean own : new boolean[] {true, false}) {
      List<Clients.Round> rounds = own ? guarded : stock;
      figures.add(figure(own, "", "requests/s", rounds.stream().map(Clients.Round::rate).toList()));
      figures.add(figure(own, ".p50", "ms", rounds.stream().map(Clients.Round::median).toList()));
      figures.add(
          figure(own, ".p99", "ms", rounds.stream().map(Clients.Round::ninetyNine).toList()));
      figures.add(
          figure(own, ".cpu", "us/request", rounds.stream().map(Clients.Round::cpu).toList()));
    }
    figures.add(cost(".cost", percent()));
    figures.add(cost(".cpu.cost", cpuPercent()));
    return figures;
  }

  private Metric cost(String suffix, double percent) {
    return new Metric(name() + suffix, GUARDED, setting(), "percent", false, "", List.of(percent));
  }

  private Metric figure(boolean own, String suffix, String unit, List<Double> values) {
    return new Metric(
        name() + suffix,
        own ? GUARDED : STOCK,
        setting(),
        unit,
        suffix.isEmpty(),
        suffix.isEmpty() ? own ? answers : stockAnswers : "",
        values);
  }

  private String name() {
    return request.label() + "-" + form.label();
  }

  private String setting() {
    return "clients=" + count;
  }

  /** The lines above the lines of a table. */
  public static String head() {
    String side =
        String.format(Locale.ROOT, "%10s %8s %8s %8s", "requests/s", "p50 ms", "p99 ms", "cpu us");
    return String.format(
        Locale.ROOT,
        "%-21s %7s | %-37s | %-37s | the guard costs%n%-21s %7s | %s | %s | %8s %8s",
        "",
        "",
        GUARDED,
        STOCK,
        "request",
        "clients",
        side,
        side,
        "time",
        "cpu");
  }

  /** A line of a table. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "%-21s %7d | %s | %s | %6.1f %% %6.1f %%",
        name(),
        count,
        side(0),
        side(SIDE),
        percent(),
        cpuPercent());
  }

  private String side(int first) {
    List<Metric> figures = figures();
    return String.format(
        Locale.ROOT,
        "%,10.0f %8.3f %8.3f %8.1f",
        figures.get(first).median(),
        figures.get(first + 1).median(),
        figures.get(first + 2).median(),
        figures.get(first + 3).median());
  }
}
