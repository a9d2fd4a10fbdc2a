package io.bg3.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.GraphLoad;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.PropertyId;
import io.bg3.export.Exporter;
import io.bg3.load.LoadSummary;
import io.bg3.load.Loader;
import io.bg3.testing.Seeds;
import io.bg3.transfer.csv.CsvGraphFile;
import io.bg3.transfer.csv.CsvGraphWriter;
import io.bg3.transfer.graphml.GraphMlFile;
import io.bg3.transfer.graphml.GraphMlWriter;
import io.bg3.transfer.star.GraphSonFile;
import io.bg3.transfer.star.GraphSonGraphWriter;
import io.bg3.transfer.star.GryoFile;
import io.bg3.transfer.star.GryoGraphWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Exports graphs in every format, loads what was written, and compares. Each value of each class
 * that a store keeps is either refused or comes back as it was; a random graph of what the format
 * holds comes back whole.
 *
 * <p>Takes about 6 s: it proves that exports lose nothing. The number of random graphs is a
 * constant.
 */
class RoundTripTest {
  private static final int VERTICES = 150;
  private static final int EDGES = 600;

  /** The formats, and what part of a graph each holds. */
  enum Kind {
    CSV,
    GRAPHML,
    GRAPHSON,
    GRYO;

    private GraphFileWriter writer() {
      return switch (this) {
        case CSV -> new CsvGraphWriter();
        case GRAPHML -> new GraphMlWriter();
        case GRAPHSON -> new GraphSonGraphWriter();
        case GRYO -> new GryoGraphWriter();
      };
    }

    private boolean isText() {
      return this == CSV || this == GRAPHML;
    }

    private List<GraphFile> files(Path target) {
      return switch (this) {
        case CSV ->
            CsvGraphWriter.FILES.stream()
                .map(target::resolve)
                .<GraphFile>map(CsvGraphFile::new)
                .toList();
        case GRAPHML -> List.of(new GraphMlFile(target));
        case GRAPHSON -> List.of(new GraphSonFile(target));
        case GRYO -> List.of(new GryoFile(target));
      };
    }

    private Object value(Random random) {
      if (!isText()) {
        return Values.any(random);
      }
      while (true) {
        Object value = Values.SCALARS.get(random.nextInt(Values.SCALARS.size()));
        ValueType type = ValueType.of(value).orElse(null);
        boolean isNarrow =
            type == ValueType.BYTE || type == ValueType.SHORT || type == ValueType.DATE;
        if (type != null && !(this == GRAPHML && isNarrow) && !value.toString().endsWith("\\")) {
          return value;
        }
      }
    }
  }

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void aRandomGraphComesBackAsItWas(Kind kind) throws Exception {
    long seed = Seeds.one();
    System.out.println("RoundTripTest " + kind + " " + Seeds.say(seed));
    try (Bg3 graph = Bg3.open(Settings.defaults());
        Bg3 loaded = Bg3.open(Settings.defaults());
        Bg3 bulk = Bg3.open(Settings.defaults())) {
      fill(graph, kind, new Random(seed));
      Path target = directory.resolve("random");
      export(graph, kind, target, false);
      LoadSummary summary = load(loaded, kind.files(target));
      assertEquals(VERTICES, summary.vertices());
      assertEquals(EDGES, summary.edges());
      assertEquals(List.of(), Graphs.differences(graph, loaded), Seeds.say(seed));
      GraphLoad sorted = bulk.load();
      LoadSummary ofBulk =
          new Loader(0, row -> {}, count -> {})
              .load(
                  kind.files(target),
                  rows -> new SortedTarget(bulk.graph(), sorted, 37, true, rows, count -> {}));
      assertEquals(VERTICES, ofBulk.vertices());
      assertEquals(EDGES, ofBulk.edges());
      assertEquals(List.of(), Graphs.differences(graph, bulk), Seeds.say(seed));
      assertEquals(List.of(), bulk.check(count -> {}), Seeds.say(seed));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyValueIsRefusedOrComesBackAsItWas(Kind kind) throws Exception {
    List<String> refused = new ArrayList<>();
    List<Object> held = new ArrayList<>();
    for (Object value : Values.all()) {
      try (Bg3 graph = Bg3.open(Settings.defaults())) {
        single(graph, List.of(value));
        export(graph, kind, directory.resolve("single"), true, false);
        held.add(value);
      } catch (LossException e) {
        refused.add(value.getClass().getSimpleName());
      }
    }
    try (Bg3 graph = Bg3.open(Settings.defaults());
        Bg3 loaded = Bg3.open(Settings.defaults())) {
      single(graph, held);
      Path target = directory.resolve("held");
      export(graph, kind, target, false);
      load(loaded, kind.files(target));
      assertEquals(List.of(), Graphs.differences(graph, loaded));
    }
    assertTrue(refused.contains("boolean[]"), refused.toString());
    if (kind == Kind.GRYO) {
      assertTrue(refused.stream().allMatch(type -> type.matches("boolean\\[]|.*(List|Set|Map).*")));
    } else {
      assertTrue(refused.contains("int[]"), refused.toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLossyExportOfEverythingCanBeLoaded(Kind kind) throws Exception {
    try (Bg3 graph = Bg3.open(Settings.defaults());
        Bg3 loaded = Bg3.open(Settings.defaults())) {
      single(graph, Values.all());
      fill(graph, Kind.GRYO, new Random(1));
      Path target = directory.resolve("lossy");
      Losses losses = new Losses(true);
      try (GraphSource source = new StoreSource(graph.graph(), losses)) {
        new Exporter(kind.writer(), target, false).export(source, losses, count -> {});
      }
      assertTrue(losses.count() > 0);
      LoadSummary summary = load(loaded, kind.files(target));
      try (GraphTransaction transaction = graph.graph().beginReadOnly()) {
        assertEquals(transaction.vertexCount(), summary.vertices());
        assertEquals(transaction.edgeCount(), summary.edges());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyGraphComesBackEmpty(Kind kind) throws Exception {
    try (Bg3 graph = Bg3.open(Settings.defaults());
        Bg3 loaded = Bg3.open(Settings.defaults())) {
      Path target = directory.resolve("empty");
      export(graph, kind, target, false);
      assertEquals(0, load(loaded, kind.files(target)).vertices());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CSV", "GRAPHML"})
  void metaPropertiesAreNotLostSilently(Kind kind) throws Exception {
    try (Bg3 graph = Bg3.open(Settings.defaults())) {
      try (GraphTransaction transaction = graph.graph().begin()) {
        long vertex = transaction.addVertex(1, "a");
        int number = transaction.setProperty(vertex, Cardinality.SINGLE, "name", "x", null);
        transaction.setMeta(new PropertyId(vertex, number), "since", 1);
        transaction.commit();
      }
      assertTrue(isRefused(graph, kind));
      assertFalse(java.nio.file.Files.exists(directory.resolve("refused")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void severalLabelsAreHeldOrRefused(Kind kind) throws Exception {
    try (Bg3 graph = Bg3.open(Settings.defaults());
        Bg3 loaded = Bg3.open(Settings.defaults())) {
      try (GraphTransaction transaction = graph.graph().begin()) {
        transaction.addVertex(1, "a", "b;c", "d");
        transaction.commit();
      }
      if (kind == Kind.CSV) {
        export(graph, kind, directory.resolve("labels"), false);
        load(loaded, kind.files(directory.resolve("labels")));
        assertEquals(List.of(), Graphs.differences(graph, loaded));
        try (GraphTransaction transaction = loaded.graph().beginReadOnly()) {
          assertEquals(1, transaction.vertexCount("a"));
          assertTrue(transaction.vertex(1).hasLabel(loaded.graph().findVertexLabel("b;c")));
        }
      } else {
        assertTrue(isRefused(graph, kind));
      }
    }
  }

  private boolean isRefused(Bg3 graph, Kind kind) throws IOException {
    try {
      export(graph, kind, directory.resolve("refused"), false);
      return false;
    } catch (LossException e) {
      return true;
    }
  }

  private static void export(Bg3 graph, Kind kind, Path target, boolean force) throws IOException {
    export(graph, kind, target, force, false);
  }

  private static void export(Bg3 graph, Kind kind, Path target, boolean force, boolean lossy)
      throws IOException {
    Losses losses = new Losses(lossy);
    Exporter exporter = new Exporter(kind.writer(), target, force);
    exporter.check();
    try (GraphSource source = new StoreSource(graph.graph(), losses)) {
      exporter.export(source, losses, count -> {});
    }
  }

  private static LoadSummary load(Bg3 store, List<GraphFile> files) throws IOException {
    return new Loader(0, row -> {}, count -> {})
        .load(files, rows -> new StoreTarget(store.graph(), 37, true, rows));
  }

  /** A vertex and a loop for each value, with the value as property of both. */
  private static void single(Bg3 store, List<Object> values) {
    try (GraphTransaction transaction = store.graph().begin()) {
      for (int i = 0; i < values.size(); i++) {
        long vertex = transaction.addVertex(-1 - i, "v");
        transaction.setProperty(vertex, Cardinality.SINGLE, "key", values.get(i), null);
        transaction.addEdge(vertex, "loop", vertex, null, Map.of("key", values.get(i)));
      }
      transaction.commit();
    }
  }

  private static void fill(Bg3 store, Kind kind, Random random) {
    List<Long> vertices = new ArrayList<>();
    try (GraphTransaction transaction = store.graph().begin()) {
      for (int i = 0; i < VERTICES; i++) {
        long vertex = transaction.addVertex(vertexId(i), "label " + random.nextInt(5));
        vertices.add(vertex);
        for (int n = random.nextInt(5); n > 0; n--) {
          property(transaction, vertex, kind, random);
        }
      }
      for (int i = 0; i < EDGES; i++) {
        Map<String, Object> properties = new HashMap<>();
        for (int n = random.nextInt(3); n > 0; n--) {
          properties.put("k:" + random.nextInt(4), kind.value(random));
        }
        long from = vertices.get(random.nextInt(10));
        long to = vertices.get(random.nextInt(random.nextBoolean() ? 10 : VERTICES));
        String label = "l" + random.nextInt(3);
        transaction.addEdge(from, label, to, edgeId(i, kind), properties);
      }
      transaction.commit();
    }
  }

  private static void property(
      GraphTransaction transaction, long vertex, Kind kind, Random random) {
    String key = "k" + random.nextInt(4);
    Cardinality cardinality =
        switch (kind) {
          case CSV -> Cardinality.SET;
          case GRAPHML -> Cardinality.SINGLE;
          default -> Cardinality.LIST;
        };
    Object id = kind.isText() || random.nextInt(3) > 0 ? null : (Object) random.nextLong();
    int number = transaction.setProperty(vertex, cardinality, key, kind.value(random), id);
    if (!kind.isText() && random.nextInt(3) == 0) {
      PropertyId property = new PropertyId(vertex, number);
      transaction.setMeta(property, "m" + random.nextInt(3), kind.value(random));
    }
  }

  private static Object vertexId(int i) {
    return switch (i % 3) {
      case 0 -> (Object) (long) i;
      case 1 -> new UUID(i, i);
      default -> "v & <" + i + ">, ";
    };
  }

  private static Object edgeId(int i, Kind kind) {
    return switch (i % 6) {
      case 0 -> (Object) (long) i;
      case 1 -> new UUID(i, i);
      case 2 -> "e & <" + i + ">, ";
      case 3 -> kind.isText() ? null : (Object) i;
      case 4 -> kind.isText() ? null : Integer.toString(i);
      default -> null;
    };
  }
}
