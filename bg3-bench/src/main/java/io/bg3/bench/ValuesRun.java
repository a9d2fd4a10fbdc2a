package io.bg3.bench;

import io.bg3.Setting;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.Task;
import io.bg3.bench.work.ValuesLoad;
import io.bg3.bench.work.ValuesReads;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One graph with values of some sizes, each size in two stores: with the values in the leaves and
 * with the values apart. The two stores take turns, each time in a process of its own.
 */
final class ValuesRun extends Experiment {
  /** Two stores, each with its log and with what a checkpoint replaces. */
  private static final int DISK_TIMES_DATA = 8;

  private final List<Integer> sizes;
  private final List<ValuePlace> places;
  private final int turns;

  /** The figures by what tells them apart; those of several turns are one. */
  private final Map<List<String>, Metric> figures = new LinkedHashMap<>();

  /**
   * Prepares a run.
   *
   * @param place its memory holds the graph with the largest values
   * @param sizes bytes of a value
   * @param places the memory and the I/O of the reads
   * @param turns how often each store is opened and read in each place
   */
  ValuesRun(RunPlace place, List<Integer> sizes, List<ValuePlace> places, int turns) {
    super(place);
    this.sizes = sizes;
    this.places = places;
    this.turns = turns;
  }

  /** Bytes of the keys and values of so many edges. */
  static long data(long edges, int bytes) {
    return edges * (EdgeValue.KEY + bytes);
  }

  @Override
  Report run() throws IOException {
    long largest = sizes.stream().mapToLong(bytes -> data(size().edges(), bytes)).max().orElse(0);
    printPlace(DISK_TIMES_DATA * largest);
    print("each store is opened and read in %d turns; one thread reads%n", turns);
    for (int bytes : sizes) {
      try {
        run(bytes);
      } finally {
        for (ValueWay way : ValueWay.values()) {
          StoreFiles.delete(store(way));
        }
        tasks().clear();
      }
    }
    printSettings();
    return new Report(ValueWay.APART.text(), List.copyOf(figures.values()));
  }

  private void run(int bytes) throws IOException {
    long data = data(size().edges(), bytes);
    print("values of %,d bytes: keys and values %,d bytes%n", bytes, data);
    for (ValueWay way : ValueWay.values()) {
      Task load = tasks().task(Contender.BG3, WorkKind.LOAD_VALUES, store(way));
      Map<String, String> parameters = parameters(way, bytes, false);
      add(way, bytes, "load", load.withMemory(ValuePlace.all(data)).withParameters(parameters));
    }
    for (ValuePlace place : places) {
      for (int turn = 0; turn < turns; turn++) {
        for (ValueWay way : ValueWay.values()) {
          Task reads = tasks().task(Contender.BG3, WorkKind.READ_VALUES, store(way));
          Map<String, String> parameters = parameters(way, bytes, place.direct());
          parameters.put(ValuesReads.PLACE, place.toString());
          parameters.put(ValuesReads.PRELOADS, Boolean.toString(place.holdsAll()));
          Task task = reads.withMemory(place.memory(data)).withParameters(parameters);
          add(way, bytes, place.toString(), task);
        }
      }
    }
  }

  private Path store(ValueWay way) {
    return root().resolve(way.text());
  }

  private static Map<String, String> parameters(ValueWay way, int bytes, boolean direct) {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put(ValuesLoad.SIZE, Integer.toString(bytes));
    parameters.put(Setting.VALUE_THRESHOLD.key(), Integer.toString(way.threshold()));
    parameters.put(Setting.IO_DIRECT.key(), Boolean.toString(direct));
    return parameters;
  }

  /** Does a task and adds its rounds to those of earlier turns. */
  private void add(ValueWay way, int bytes, String name, Task task) throws IOException {
    for (Metric found : run(way.text() + ", " + bytes + " bytes, " + name, task).figures()) {
      List<String> key = List.of(found.work(), way.text(), found.setting());
      figures.merge(key, renamed(found, way), ValuesRun::together);
    }
  }

  private static Metric renamed(Metric found, ValueWay way) {
    return new Metric(
        found.work(),
        way.text(),
        found.setting(),
        found.unit(),
        found.higherIsBetter(),
        found.answer(),
        found.rounds());
  }

  /**
   * Both turns of one figure; answers that differ are an answer that the other store differs in.
   */
  static Metric together(Metric first, Metric second) {
    List<Double> rounds = new ArrayList<>(first.rounds());
    rounds.addAll(second.rounds());
    String answer = first.answer();
    return new Metric(
        first.work(),
        first.system(),
        first.setting(),
        first.unit(),
        first.higherIsBetter(),
        answer.equals(second.answer()) ? answer : first.system() + ": " + answer + second.answer(),
        rounds);
  }
}
