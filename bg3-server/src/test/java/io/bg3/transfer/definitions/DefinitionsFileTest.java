package io.bg3.transfer.definitions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.AllowedEnds;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.graph.ValueType;
import io.bg3.testing.Seeds;
import io.bg3.transfer.TransferException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads files of definitions: a stored one of version 1, random ones that were written, wrong ones,
 * and mutations of right ones. A file is read or refused with an error that names it; a failure
 * prints its seed.
 */
class DefinitionsFileTest {
  private static final String SAMPLE = "version-1.definitions.json";
  private static final int MUTATIONS = 200;

  @TempDir private Path directory;

  static LongStream seeds() {
    return Seeds.of(10);
  }

  @Test
  void aStoredFileOfVersionOneIsRead() throws IOException {
    Definitions read = read(sample());
    assertEquals(
        List.of(
            new EdgeFamily("events", 3_600_000, 32_768, 20, 64, "zstd:3"), new EdgeFamily("plain")),
        read.families());
    EdgeLabelForm plain = EdgeLabelForm.plain();
    assertEquals(
        List.of(
            new LabelDefinition(
                "viewed",
                plain
                    .withTtl(3_600_000)
                    .inFamily("events")
                    .orderedBy("time", SortOrder.DESCENDING)),
            new LabelDefinition(
                "liked",
                plain
                    .inFamily("plain")
                    .orderedBy("time", SortOrder.ASCENDING)
                    .asLoose()
                    .asCounted()),
            new LabelDefinition("seen", plain.withTtl(60_000)),
            new LabelDefinition("wrote", plain)),
        read.labels());
    assertEquals(
        List.of(
            LabelSchema.ofVertices("person")
                .with(KeyRule.of("name", ValueType.STRING).with(Cardinality.SINGLE).asRequired())
                .with(KeyRule.of("age", ValueType.INTEGER))
                .with(KeyRule.of("mail"))
                .asClosed(),
            LabelSchema.ofEdges("wrote")
                .with(AllowedEnds.any().from("person").to("book", "film"))
                .asSingle()),
        read.schemas());
    assertEquals(
        List.of(
            new IndexDefinition(IndexedKeys.ofVertices("person", "name", "age"), false),
            new IndexDefinition(IndexedKeys.ofVertices(null, "mail"), true),
            new IndexDefinition(IndexedKeys.ofEdges("wrote", "year"), false)),
        read.indexes());
    assertEquals("2 families, 4 edge labels, 2 schemas, 3 indexes", read.toString());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsWrittenIsReadAsItWas(long seed) throws IOException {
    Definitions definitions = definitions(Seeds.random(seed));
    DefinitionsFile file = new DefinitionsFile(directory.resolve("d.json"));
    file.write(definitions);
    assertEquals(definitions, file.read(), Seeds.say(seed));
    String text = Files.readString(file.path());
    file.write(file.read());
    assertEquals(text, Files.readString(file.path()), Seeds.say(seed));
  }

  @Test
  void noDefinitionsAreRead() throws IOException {
    assertEquals(Definitions.none(), read("{\"format\":\"bg3 definitions\",\"version\":1}"));
    DefinitionsFile file = new DefinitionsFile(directory.resolve("none.json"));
    file.write(Definitions.none());
    assertEquals(Definitions.none(), file.read());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "                                           | d.json:1: the file is empty",
        "{                                          | d.json:1: not JSON: Unexpected end-of-input",
        "{} {}                                      | d.json:1: there is text after the object",
        "[]                                         | d.json:1: wanted=an object, found=a list",
        "{}                                         | d.json:1: not a file of definitions: missing"
            + " member=format",
        "{'format':'x'}                             | d.json:1: format: not a file of definitions:"
            + " wanted=bg3 definitions",
        "{'format':'bg3 definitions'}               | d.json:1: a member is missing:"
            + " member=version",
        "{HEAD 'version':2}                         | d.json:2: version: a newer release of BG3"
            + " wrote this file",
        "{HEAD 'version':0}                         | d.json:2: version: wanted=a whole number from"
            + " 1 to 2147483647, found=0",
        "{HEAD 'version':'1'}                       | d.json:2: version: wanted=a whole number from"
            + " 1 to 2147483647, found=1",
        "{HEAD 'version':1,'edges':[]}              | d.json:2: edges: unknown member:"
            + " known=[format, version, families",
        "{HEAD 'version':1,'labels':{}}             | d.json:2: labels: wanted=a list, found=an"
            + " object",
        "{HEAD 'version':1,'labels':[1]}            | d.json:2: labels[0]: wanted=an object,"
            + " found=1",
        "{HEAD 'version':1,'labels':[{}]}           | d.json:2: labels[0]: a member is missing:"
            + " member=label",
        "{HEAD 'version':1,'labels':[{'label':''}]} | d.json:2: labels[0].label: the name of a"
            + " label, property key or family must be",
        "{HEAD 'version':1,'labels':[],'labels':[]} | d.json:2: labels: the member is there twice",
        "{LABEL 'family':'f'}]}                     | d.json:3: labels[0].family: unknown family:"
            + " family=f, known=[]",
        "{LABEL 'loose':'yes'}]}                    | d.json:3: labels[0].loose: wanted=true or"
            + " false, found=yes",
        "{LABEL 'loose':null}]}                     | d.json:3: labels[0].loose: wanted=true or"
            + " false, found=null",
        "{LABEL 'ttl':1.5}]}                        | d.json:3: labels[0].ttl: wanted=a whole"
            + " number from 1 to",
        "{LABEL 'ttl':99999999999999999999}]}       | d.json:3: labels[0].ttl: wanted=a whole"
            + " number from 1 to",
        "{LABEL 'descending':true}]}                | d.json:3: labels[0].descending: an order"
            + " needs a sort key",
        "{LABEL 'ttl':5,'counted':true}]}           | d.json:2: labels[0]: edges with a time to"
            + " live cannot be counted",
        "{LABEL 'colour':'red'}]}                   | d.json:3: labels[0].colour: unknown member:"
            + " known=[label, family",
        "{LABEL 'loose':true},{'label':'l'}]}       | d.json:3: labels[1]: this is defined twice:"
            + " name=l",
        "{HEAD 'version':1,'families':[{'name':'f','pageCapacity':1}]} | d.json:2: families[0]:"
            + " invalid setting of a family: family=f, pageCapacity=1",
        "{HEAD 'version':1,'families':[{'name':'f','compression':'zip'}]} | d.json:2: families[0]:"
            + " invalid setting of a family",
        "{HEAD 'version':1,'schemas':[{'label':'p'}]} | d.json:2: schemas[0]: a schema needs a"
            + " rule",
        "{HEAD 'version':1,'schemas':[{'label':'p','kind':'hyper','closed':true}]} | d.json:2:"
            + " schemas[0].kind: unknown value: found=hyper, known=[vertex, edge]",
        "{HEAD 'version':1,'schemas':[{'label':'p','keys':{'a':'text'}}]} | d.json:2:"
            + " schemas[0].keys.a: unknown value: found=text, known=[any, boolean",
        "{HEAD 'version':1,'schemas':[{'label':'p','keys':{'a':{'cardinality':'one'}}}]} |"
            + " d.json:2: schemas[0].keys.a.cardinality: unknown value: found=one",
        "{HEAD 'version':1,'schemas':[{'label':'p','single':true}]} | d.json:2: schemas[0]: only a"
            + " schema of edges may be single",
        "{HEAD 'version':1,'indexes':[{'label':'p','keys':[]}]} | d.json:2: indexes[0]: an index"
            + " needs one key or more",
        "{HEAD 'version':1,'indexes':[{'label':'p'}]} | d.json:2: indexes[0]: a member is missing:"
            + " member=keys",
        "{HEAD 'version':1,'indexes':[{'keys':['a','b','c','d','e']}]} | d.json:2: indexes[0]: ",
        "{HEAD 'version':1,'indexes':[{'keys':['a']},{'keys':['a'],'unique':true}]} | d.json:2:"
            + " indexes[1]: this is defined twice: name=*.a"
      })
  void anErrorNamesTheFileTheLineAndTheMember(String given, String expected) {
    String json =
        (given == null ? "" : given)
            .replace("HEAD", "'format':'bg3 definitions',\n")
            .replace("LABEL", "'format':'bg3 definitions','version':1,\n'labels':[{'label':'l',\n")
            .replace('\'', '"');
    TransferException refused = assertThrows(TransferException.class, () -> read(json));
    String message = refused.getMessage().substring(directory.toString().length() + 1);
    assertTrue(message.startsWith(expected), message);
    assertTrue(message.endsWith("--no-definitions."), message);
  }

  @Test
  void textThatIsNotUtf8IsRefused() throws IOException {
    Path file = Files.write(directory.resolve("d.json"), new byte[] {'{', '"', (byte) 0xFF});
    TransferException refused =
        assertThrows(TransferException.class, () -> new DefinitionsFile(file).read());
    assertTrue(refused.getMessage().contains("d.json:1: not UTF-8"), refused.getMessage());
    TransferException none =
        assertThrows(
            TransferException.class,
            () -> new DefinitionsFile(directory.resolve("none.json")).read());
    assertTrue(none.getMessage().contains("reason=no such file"), none.getMessage());
  }

  @Test
  void aMarkOfTheByteOrderIsSkipped() throws IOException {
    assertEquals(read(sample()), read("\uFEFF" + sample()));
  }

  /** The bound is about what is read, not about the size of the file. */
  @Test
  void aCompressedFileIsBoundedAndWhole() throws IOException {
    Path file = directory.resolve("d.json.gz");
    byte[] spaces = new byte[1 << 20];
    Arrays.fill(spaces, (byte) ' ');
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < 65; i++) {
        out.write(spaces);
      }
    }
    TransferException large =
        assertThrows(TransferException.class, () -> new DefinitionsFile(file).read());
    assertTrue(
        large.getMessage().contains("larger than a file of definitions may be"),
        large.getMessage());
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, 1_000));
    TransferException cut =
        assertThrows(TransferException.class, () -> new DefinitionsFile(file).read());
    assertTrue(cut.getMessage().startsWith(file + ": cannot read: reason="), cut.getMessage());
    assertTrue(cut.getMessage().endsWith("--no-definitions."), cut.getMessage());
  }

  @Test
  void deepNestingIsRefused() {
    TransferException refused =
        assertThrows(TransferException.class, () -> read("[".repeat(100_000)));
    assertTrue(refused.getMessage().contains("nested too deep"), refused.getMessage());
  }

  /** A mutation of one, two or three places: flipped, removed, doubled or replaced bytes. */
  @ParameterizedTest
  @MethodSource("seeds")
  void aMutatedFileIsReadOrRefused(long seed) throws IOException {
    Random random = Seeds.random(seed);
    byte[] right = sample().getBytes(StandardCharsets.UTF_8);
    Path file = directory.resolve("mutated.json");
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] mutated = right;
      for (int n = random.nextInt(3); n >= 0; n--) {
        mutated = mutated(mutated, random);
      }
      Files.write(file, mutated);
      String at = Seeds.say(seed) + ", mutation " + i;
      try {
        Definitions read = new DefinitionsFile(file).read();
        new MergedDefinitions().add(at, read);
        DefinitionsFile again = new DefinitionsFile(directory.resolve("again.json"));
        again.write(read);
        assertEquals(read, again.read(), at);
      } catch (TransferException e) {
        refused++;
        assertTrue(e.getMessage().startsWith(file.toString()), at + ": " + e.getMessage());
        assertTrue(e.getMessage().endsWith("--no-definitions."), at + ": " + e.getMessage());
      } catch (RuntimeException e) {
        throw new AssertionError(at + "\n" + new String(mutated, StandardCharsets.UTF_8), e);
      }
    }
    assertTrue(refused > MUTATIONS / 4, Seeds.say(seed) + ": refused=" + refused);
  }

  private static byte[] mutated(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length - 20);
    int length = 1 + random.nextInt(random.nextBoolean() ? 2 : 20);
    byte[] mutated = bytes.clone();
    switch (random.nextInt(4)) {
      case 0 -> mutated[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> mutated[at] = (byte) "{}[]\",:0-.etn".charAt(random.nextInt(13));
      case 2 -> {
        mutated = Arrays.copyOf(bytes, bytes.length - length);
        System.arraycopy(bytes, at + length, mutated, at, mutated.length - at);
      }
      default -> {
        mutated = Arrays.copyOf(bytes, bytes.length + length);
        System.arraycopy(bytes, at, mutated, at + length, bytes.length - at);
      }
    }
    return mutated;
  }

  @Test
  void theFileHasTheNameOfItsGraph() {
    assertEquals(
        Path.of("a", "g.graphml.definitions.json"),
        DefinitionsFile.beside(Path.of("a", "g.graphml")).path());
    assertEquals(
        Path.of("g.kryo.definitions.json"), DefinitionsFile.beside(Path.of("g.kryo.gz")).path());
    assertEquals(Path.of("csv", "definitions.json"), DefinitionsFile.in(Path.of("csv")).path());
    assertTrue(DefinitionsFile.isName(Path.of("x", "definitions.json")));
    assertTrue(DefinitionsFile.isName(Path.of("g.kryo.definitions.json")));
    assertFalse(DefinitionsFile.isName(Path.of("mydefinitions.json")));
  }

  private Definitions read(String json) throws IOException {
    return new DefinitionsFile(Files.writeString(directory.resolve("d.json"), json)).read();
  }

  private static String sample() throws IOException {
    try (InputStream in = DefinitionsFileTest.class.getResourceAsStream(SAMPLE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Random definitions whose names need escapes. */
  private static Definitions definitions(Random random) {
    List<EdgeFamily> families = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      families.add(
          new EdgeFamily(
              name("family", i),
              random.nextBoolean() ? 0 : 1 + random.nextInt(1_000_000),
              random.nextBoolean() ? 0 : 512 + random.nextInt(60_000),
              random.nextInt(1_000),
              random.nextBoolean() ? 0 : 8 + random.nextInt(100),
              List.of("", "none", "lz4", "zstd:7").get(random.nextInt(4))));
    }
    List<LabelDefinition> labels = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      labels.add(new LabelDefinition(name("label", i), form(families, random)));
    }
    List<LabelSchema> schemas = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      schemas.add(schema(i, random));
    }
    List<IndexDefinition> indexes = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      String label = random.nextInt(3) == 0 ? null : name("label", i);
      List<String> keys = new ArrayList<>();
      for (int n = random.nextInt(4); n >= 0; n--) {
        keys.add(name("key" + i, n));
      }
      ElementKind kind = random.nextBoolean() ? ElementKind.VERTEX : ElementKind.EDGE;
      indexes.add(new IndexDefinition(new IndexedKeys(kind, label, keys), random.nextBoolean()));
    }
    return new Definitions(families, labels, schemas, indexes);
  }

  private static EdgeLabelForm form(List<EdgeFamily> families, Random random) {
    EdgeLabelForm form = EdgeLabelForm.plain();
    if (!families.isEmpty() && random.nextBoolean()) {
      EdgeFamily family = families.get(random.nextInt(families.size()));
      form = form.inFamily(family.name()).withTtl(family.ttlMillis());
    } else if (random.nextInt(3) == 0) {
      form = form.withTtl(1 + random.nextInt(1_000_000));
    }
    if (random.nextBoolean()) {
      SortOrder[] orders = SortOrder.values();
      form = form.orderedBy(name("sort key", 0), orders[random.nextInt(orders.length)]);
    }
    form = random.nextBoolean() ? form.asLoose() : form;
    return form.ttlMillis() == 0 && random.nextBoolean() ? form.asCounted() : form;
  }

  private static LabelSchema schema(int number, Random random) {
    boolean isOfEdges = random.nextBoolean();
    LabelSchema schema =
        isOfEdges
            ? LabelSchema.ofEdges(name("label", number))
            : LabelSchema.ofVertices(name("label", number));
    for (int n = random.nextInt(4); n >= 0; n--) {
      ValueType[] types = ValueType.values();
      KeyRule rule = KeyRule.of(name("key", n), types[random.nextInt(types.length)]);
      rule = random.nextBoolean() ? rule.asRequired() : rule;
      Cardinality[] cardinalities = Cardinality.values();
      boolean hasCardinality = !isOfEdges && random.nextBoolean();
      schema =
          schema.with(
              hasCardinality
                  ? rule.with(cardinalities[random.nextInt(cardinalities.length)])
                  : rule);
    }
    schema = random.nextBoolean() ? schema.asClosed() : schema;
    if (isOfEdges && random.nextBoolean()) {
      schema = schema.asSingle().with(AllowedEnds.any().from(name("end", 1)).to("b", "a"));
    }
    return schema;
  }

  private static String name(String name, int number) {
    Map<Integer, String> odd = Map.of(0, " \"", 1, "\\ü\n", 2, ".\uD83D\uDE00", 3, "");
    return name + number + odd.get(number % 4);
  }
}
