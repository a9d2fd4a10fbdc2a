package io.bg3.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.source.Sources;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares docs/formats.md with the constants of the classes that read and write the formats. A
 * constant that changes, and a constant of an offset table that is new, fails this test until the
 * page says the new number.
 *
 * <p>The test reads the constants by reflection, because most of them are package-private, and
 * finds a class by its simple name, so that moving it to another package needs no change here.
 */
class FormatsPageTest {
  private static final Path PAGE = Path.of("docs/formats.md");

  /**
   * The offset tables. In each pair, the row whose field begins with the left side has the offset
   * that the constant on the right side holds; {@code end} is the end of the last row. The third
   * string names constants of the class that are no offsets of the table.
   */
  private static final List<List<String>> TABLES =
      List.of(
          List.of(
              "FileHeader",
              "magic=MAGIC, kind=KIND, version=VERSION, store=STORE, number=NUMBER,"
                  + " checksum=CHECKSUM, end=BYTES",
              ""),
          List.of("Manifest", "length=LENGTH, checksum=CHECKSUM, payload=PAYLOAD", ""),
          List.of(
              "PageMapRows",
              "sequence=SEQUENCE, number=NUMBER, reserved=RESERVED, page id=ROWS",
              "RUN SEGMENT PAGE BASE DELTA ROW_LENGTH RUN_ROWS SEGMENT_SHIFT SEGMENT_PAGES"),
          List.of(
              "SegmentHeader",
              "capacity=CAPACITY, epoch=EPOCH, checksum=CHECKSUM, reserved=BYTES,"
                  + " records=RESERVED",
              ""),
          List.of(
              "LogRecord",
              "checksum=CHECKSUM, length=LENGTH, position=POSITION, durable=DURABLE, epoch=EPOCH,"
                  + " body=BODY, payload=HEADER",
              "ALIGNMENT MAX_PAYLOAD"),
          List.of(
              "CommitRecord",
              "kind=KIND, stamp=STAMP, number of totals=BODY",
              "COMMIT PLAIN_COMMIT REMOVAL ZEROS COMMON_SHIFT MOST_COMMON DIFFERENCE ZEROS_BYTES"
                  + " MEASURED_FROM"),
          List.of(
              "PageHeader",
              "kind=KIND, flags=FLAGS, op=OP, level=LEVEL, length=LENGTH, page id=PAGE_ID,"
                  + " tree id=TREE_ID, right sibling=RIGHT_SIBLING, count=COUNT,"
                  + " stamp count=STAMP_COUNT, runs=RUNS, newest stamp=NEWEST_STAMP, cut=CUT,"
                  + " base=BASE, values=VALUES, owners=OWNERS, low length=LOW_LENGTH,"
                  + " high length=HIGH_LENGTH, sort keys=SORT_KEYS, prefix length=PREFIX_LENGTH,"
                  + " head lengths=HEAD_LENGTHS, tail width=TAIL_WIDTH, low fence=FENCES",
              "EDGE_LEAF BYTE_LEAF INNER FLAG_DELTA FLAG_OPS FLAG_ONE_STAMP FLAG_SEQUENCES"
                  + " FLAG_VALUES FLAG_VALUES_INSIDE FLAG_SORT_KEYS FLAG_NO_OWNER NO_FENCE"
                  + " MAX_KEY"),
          List.of(
              "EdgeKey",
              "owner=OWNER, tag=TAG_LABEL, sort key=SORT_KEY, other=OTHER, sequence=SEQUENCE,"
                  + " end=LENGTH",
              "INDEX_LENGTH OUT IN INDEX COUNTER MAX_LABEL TTL LASTING MAX_FAMILY MAX_TTL_NUMBER"
                  + " FAMILY_SHIFT"),
          List.of(
              "ValueBlock",
              "length=LENGTH, count=COUNT, width=WIDTH, zero=RESERVED, end of each=ENDS",
              ""),
          List.of(
              "PageImage",
              "magic=MAGIC, version=VERSION_AT, kind=KIND, topology: codec=TOPOLOGY,"
                  + " properties=PROPERTIES, checksum=CHECKSUM, topology=PARTS",
              "VERSION PLAIN_VERSION PACKING_NONE PACKING_COLUMNS PART_CODEC PART_PACKING PART_ZERO"
                  + " PART_STORED PART_LENGTH PART_CHECKSUM"),
          List.of("Extent", "records=FIRST_RECORD", ""),
          List.of(
              "RecordFrame",
              "checksum=CHECKSUM, length=LENGTH, key=KEY, kind=KIND, reserved=RESERVED,"
                  + " first=FIRST, payload=PAYLOAD",
              "MAX_PAYLOAD FIRST_BYTES"),
          List.of(
              "ExtentUsage",
              "number of the extent=EXTENT, code=STREAM, 0 open=SEALED, 0 fresh=ORIGIN,"
                  + " family=FAMILY,"
                  + " written=WRITTEN, stored=STORED, live=LIVE, number of the"
                  + " records=LIVE_RECORDS, time=NEWEST, recent garbage=GARBAGE, the"
                  + " time=WINDOW_END, end=ENCODED_LENGTH",
              ""));

  /** Sentences of the page: class, constant, and the text with %d in the place of the number. */
  private static final List<List<String>> SENTENCES =
      List.of(
          List.of("LockHolder", "BYTES", "%d bytes of ASCII text"),
          List.of("Checkpoint", "VERSION", "| 4 | version, %d |"),
          List.of("PageMapRows", "RUN", "A record of kind %d is a run"),
          List.of("PageMapRows", "SEGMENT", "One of kind %d is a segment"),
          List.of("PageMapRows", "RUN_ROWS", "at most %,d a record"),
          List.of("PageMapRows", "SEGMENT_PAGES", "stored pages from %,d s on"),
          List.of("PageMapRows", "ROW_LENGTH", "%d each | page id (4), location of the base (8;"),
          List.of("PageMapRows", "NO_SEGMENT", "%d in a run"),
          List.of("PageMapRoot", "LIST", "A record of kind %d is a list"),
          List.of("PageMapRoot", "LIST_LENGTH", "8 bytes each, at most %,d"),
          List.of("LogRecord", "ALIGNMENT", "Records begin at positions that are multiples of %d"),
          List.of("CommitRecord", "COMMIT", "kind: %d = commit"),
          List.of("CommitRecord", "PLAIN_COMMIT", "A record of kind %d, which BG3 reads"),
          List.of("CommitRecord", "DIFFERENCE", "or %d, in space 0 only"),
          List.of("KeyDifference", "MASK_BYTES", "| %d | mask: a bit for each"),
          List.of("CommitRecord", "REMOVAL", "0 = put, %d = removal"),
          List.of("ValueStore", "KIND", "The kind of the record is %d"),
          List.of("ValueStore", "COMPRESSED", "In a record of kind %d the value is compressed"),
          List.of("OrderedEntry", "HIDDEN", "flags: %d = hidden"),
          List.of("OrderedEntry", "NAMED", "%d = the application gave the edge an id"),
          List.of("EdgeLabelForm", "LOOSE", "%d = loose"),
          List.of("EdgeLabelForm", "ORDERED", "%d = ordered"),
          List.of("EdgeLabelForm", "DESCENDING", "%d = the largest sort key first"),
          List.of("EdgeLabelForm", "COUNTED", "%d = counted"),
          List.of("EdgeLabelForm", "TTL", "%d = time to live"),
          List.of("VertexRecord", "VERSION", "| 1 | version, %d |"),
          List.of("VertexRecord", "LARGE", "flags: %d = the value is in PROPERTIES"),
          List.of("VertexRecord", "META", "%d = the property has meta-properties"),
          List.of("VertexRecord", "USER_ID", "%d = the application gave an id"),
          List.of("EdgeRecord", "USER_ID", "| 1 | flags: %d = the application gave an id |"),
          List.of("PageHeader", "EDGE_LEAF", "| %d edge leaf"),
          List.of("PageHeader", "BYTE_LEAF", "%d byte-key leaf"),
          List.of("PageHeader", "INNER", "%d inner page"),
          List.of("PageHeader", "FLAG_DELTA", "%d delta"),
          List.of("PageHeader", "FLAG_OPS", "%d ops column"),
          List.of("PageHeader", "FLAG_ONE_STAMP", "%d all entries have one stamp"),
          List.of("PageHeader", "FLAG_SEQUENCES", "%d sequences column"),
          List.of("PageHeader", "FLAG_VALUES", "%d values"),
          List.of("PageHeader", "FLAG_VALUES_INSIDE", "%d values inside this block"),
          List.of("PageHeader", "FLAG_SORT_KEYS", "%d sort keys"),
          List.of("PageHeader", "FLAG_NO_OWNER", "%d no owners"),
          List.of("PageHeader", "NO_FENCE", "%d without a low fence"),
          List.of("Op", "TOMBSTONE", "| %d | TOMBSTONE |"),
          List.of("Op", "LOCATION", "| %d | LOCATION |"),
          List.of("Op", "OLDER", "| %d | OLDER |"),
          List.of("Op", "UNSTORED", "| %d | UNSTORED |"),
          List.of("EdgeKey", "OUT", "top 2 bits: %d out"),
          List.of("EdgeKey", "IN", "%d in,"),
          List.of("EdgeKey", "INDEX", "%d index"),
          List.of("EdgeKey", "COUNTER", "%d counter"),
          List.of("EdgeLeaf", "RUN", "| %d r | runs |"),
          List.of("PageImage", "VERSION", "| 4 | 2 | version | %d |"),
          List.of("PageImage", "PLAIN_VERSION", "An image of version %d has codec 0"),
          List.of("PageImage", "PACKING_NONE", "topology: packing | %d none"),
          List.of("PageImage", "PACKING_COLUMNS", "%d packed columns"),
          List.of("DeltaImage", "VERSION", "| 1 | version | %d; an image of another version"),
          List.of("DeltaPacking", "MANY", "its number of rows, or %d if a varint"),
          List.of("PackedRows", "GROUP", "groups of %d rows"),
          List.of("PackedRows", "COUNTER_BITS", "the lower %d bits"),
          List.of("DefinitionsFile", "VERSION", "| `version` | %d |"));

  private static final Map<String, String> FILE_KINDS =
      Map.of("Manifest", "KIND", "SegmentHeader", "KIND", "Extent", "FILE_KIND");

  private static final Pattern ROW = Pattern.compile("^\\| \\+?(\\d+) \\| ([^|]+) \\| ([^|]+) \\|");
  private static final Pattern RANGE = Pattern.compile("(\\d+)-(\\d+)");

  @Test
  void everyOffsetIsThatOfItsConstant() throws ReflectiveOperationException {
    for (List<String> table : TABLES) {
      String name = table.get(0);
      List<Matcher> rows = rows(name);
      for (String pair : table.get(1).split(",\\s*", -1)) {
        String field = pair.substring(0, pair.indexOf('='));
        int constant = number(name, pair.substring(pair.indexOf('=') + 1));
        assertEquals(constant, offset(rows, field), name + ": " + pair);
      }
    }
  }

  @Test
  void everyRowEndsWhereTheNextBegins() {
    for (List<String> table : TABLES) {
      int end = 0;
      for (Matcher row : rows(table.get(0))) {
        int begin = Integer.parseInt(row.group(1));
        boolean isVariant = row.group(0).startsWith("| +") || begin < end;
        assertTrue(isVariant || end == 0 || begin == end, table.get(0) + ": " + row.group());
        if (!row.group(0).startsWith("| +") && row.group(2).matches("\\d+")) {
          end = begin + Integer.parseInt(row.group(2));
        }
      }
    }
  }

  @Test
  void everyConstantOfATableIsKnown() throws ReflectiveOperationException {
    for (List<String> table : TABLES) {
      Set<String> known = new TreeSet<>(List.of(table.get(2).split(" ", -1)));
      Stream.of(table.get(1).split(",\\s*", -1))
          .forEach(pair -> known.add(pair.substring(pair.indexOf('=') + 1)));
      Set<String> unknown = new TreeSet<>();
      for (Field field : type(table.get(0)).getDeclaredFields()) {
        int modifiers = field.getModifiers();
        boolean isConstant = field.getType() == int.class && Modifier.isFinal(modifiers);
        if (isConstant && Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers)) {
          unknown.add(field.getName());
        }
      }
      unknown.removeAll(known);
      assertEquals(Set.of(), unknown, table.get(0));
    }
  }

  @Test
  void everyNumberOfASentenceIsThatOfItsConstant() throws ReflectiveOperationException {
    List<String> missing = new ArrayList<>();
    for (List<String> sentence : SENTENCES) {
      String text =
          String.format(Locale.ROOT, sentence.get(2), number(sentence.get(0), sentence.get(1)));
      if (!section(sentence.get(0)).replaceAll("\\s+", " ").contains(text)) {
        missing.add(sentence + ": " + text);
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void everyFileKindHasItsNameAndVersion() throws ReflectiveOperationException {
    for (Map.Entry<String, String> entry : FILE_KINDS.entrySet()) {
      Object kind = constant(entry.getKey(), entry.getValue());
      String text =
          "file header of kind `"
              + component(kind, "name")
              + "`, version "
              + component(kind, "newest")
              + ";";
      assertTrue(section(entry.getKey()).contains(text), entry.getKey() + ": " + text);
    }
  }

  @Test
  void magicNumbersAreTheLettersOfThePage() throws ReflectiveOperationException {
    assertEquals("BG3\0", letters(number("FileHeader", "MAGIC_VALUE")));
    assertTrue(section("FileHeader").contains("magic: the letters `BG3` and a zero byte"));
    assertEquals("BG3P", letters(number("PageImage", "MAGIC_NUMBER")));
    assertTrue(section("PageImage").contains("| magic | `BG3P` |"));
    for (String record : List.of("LogRecord", "RecordFrame")) {
      assertEquals(1 << 30, number(record, "MAX_PAYLOAD"));
      assertTrue(section(record).contains("2^30"), record);
    }
  }

  @Test
  void everyCodecIsOnThePage() throws ReflectiveOperationException {
    for (Object codec : type("Codec").getEnumConstants()) {
      int code = (int) component(codec, "code");
      String row =
          switch (codec.toString()) {
            case "NONE" -> "0 none";
            case "LZ4" -> "1 LZ4";
            case "ZSTD" -> "2 Zstandard";
            default -> "a codec that the page does not name: " + codec;
          };
      assertTrue(section("PageImage").contains(row), row);
      assertTrue(row.startsWith(code + " "), row);
    }
  }

  @Test
  void everyTagOfAValueIsOnThePage() throws ReflectiveOperationException {
    Map<Integer, String> tags = new TreeMap<>();
    for (Object tag : type("ValueTag").getEnumConstants()) {
      Field code = type("ValueTag").getDeclaredField("code");
      code.setAccessible(true);
      tags.put(((Number) code.get(tag)).intValue(), tag.toString());
    }
    Set<Integer> onPage = new TreeSet<>();
    for (String line : section("ValueTag").lines().toList()) {
      if (line.matches("\\| \\d.*")) {
        String cell = line.substring(2, line.indexOf(" |"));
        Matcher range = RANGE.matcher(cell);
        if (range.matches()) {
          for (int i = Integer.parseInt(range.group(1));
              i <= Integer.parseInt(range.group(2));
              i++) {
            onPage.add(i);
          }
        } else {
          Stream.of(cell.split(", ", -1)).map(Integer::valueOf).forEach(onPage::add);
        }
      }
    }
    assertEquals(tags.keySet(), onPage, tags.toString());
  }

  private static int offset(List<Matcher> rows, String field) {
    if (field.equals("end")) {
      Matcher last = rows.get(rows.size() - 1);
      return Integer.parseInt(last.group(1)) + Integer.parseInt(last.group(2));
    }
    return rows.stream()
        .filter(row -> row.group(3).matches("\\Q" + field + "\\E(?![\\w]).*"))
        .filter(row -> !field.equals("topology") || row.group(3).equals("topology"))
        .map(row -> Integer.valueOf(row.group(1)))
        .findFirst()
        .orElse(-1);
  }

  /** The rows of the first table in the section of a class. */
  private static List<Matcher> rows(String name) {
    List<Matcher> rows = new ArrayList<>();
    for (String line : section(name).lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.find()) {
        rows.add(row);
      } else if (!rows.isEmpty() && !line.startsWith("|")) {
        break;
      }
    }
    assertTrue(!rows.isEmpty(), "no table: class=" + name);
    return rows;
  }

  /** The section of a class: from the heading, or the first paragraph, that names it. */
  private static String section(String name) {
    String page = Sources.text(PAGE);
    Matcher heading =
        Pattern.compile("(?m)^#+ .*`" + name + "`.*$|^.*\\(`" + name + "`\\):$").matcher(page);
    assertTrue(heading.find(), "no section: class=" + name);
    Matcher next = Pattern.compile("(?m)^#+ ").matcher(page);
    return page.substring(heading.start(), next.find(heading.end()) ? next.start() : page.length());
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    Path file =
        Sources.java("main").stream()
            .filter(path -> path.getFileName().toString().equals(name + ".java"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no source file: class=" + name));
    return Class.forName(Sources.packageOf(file) + "." + name);
  }

  private static int number(String name, String constant) throws ReflectiveOperationException {
    return ((Number) constant(name, constant)).intValue();
  }

  private static Object constant(String name, String constant) throws ReflectiveOperationException {
    Field field = type(name).getDeclaredField(constant);
    field.setAccessible(true);
    return field.get(null);
  }

  private static Object component(Object value, String name) throws ReflectiveOperationException {
    return value.getClass().getMethod(name).invoke(value);
  }

  private static String letters(int number) {
    StringBuilder letters = new StringBuilder();
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      letters.append((char) (number >>> shift & 0xFF));
    }
    return letters.toString();
  }
}
