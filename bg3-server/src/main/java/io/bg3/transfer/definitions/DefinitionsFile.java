package io.bg3.transfer.definitions;

import io.bg3.storage.file.PathStatus;
import io.bg3.transfer.CountedInput;
import io.bg3.transfer.TransferException;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.tinkerpop.shaded.jackson.core.JsonFactory;
import org.apache.tinkerpop.shaded.jackson.core.JsonGenerator;
import org.apache.tinkerpop.shaded.jackson.core.util.MinimalPrettyPrinter;

/**
 * A file of definitions: one object of JSON in UTF-8.
 *
 * <pre>
 *   format    "bg3 definitions"
 *   version   1
 *   families  a list of families; all lists may be absent
 *   labels    a list of declared edge labels
 *   schemas   a list of schemas
 *   indexes   a list of property indexes
 * </pre>
 *
 * <p>{@link DefinitionMaps} names the members of each. The file of a graph in one file {@code NAME}
 * is {@code NAME.definitions.json} beside it, that of a directory {@code definitions.json} in it.
 *
 * <p>Threads: one.
 */
public final class DefinitionsFile {
  /** The name of the file in a directory. */
  public static final String NAME = "definitions.json";

  private static final String FORMAT_NAME = "bg3 definitions";
  private static final int VERSION = 1;
  private static final long MOST_BYTES = 64L << 20;
  private static final char BYTE_ORDER_MARK = '\uFEFF';
  private static final String ADVICE =
      "Correct the file, name another with --definitions, or load without: --no-definitions.";

  private static final String FORMAT = "format";
  private static final String VERSION_NUMBER = "version";
  private static final String FAMILIES = "families";
  private static final String LABELS = "labels";
  private static final String SCHEMAS = "schemas";
  private static final String INDEXES = "indexes";
  private static final List<String> MEMBERS =
      List.of(FORMAT, VERSION_NUMBER, FAMILIES, LABELS, SCHEMAS, INDEXES);

  private static final JsonFactory FACTORY = new JsonFactory();

  private final Path path;

  /** Reads a part of the definitions. */
  private interface Part {
    void read(Node node) throws TransferException;
  }

  /** The file with a path, which need not exist. */
  public DefinitionsFile(Path path) {
    this.path = path;
  }

  /** The file that belongs to a graph in one file, also if that was compressed afterwards. */
  public static DefinitionsFile beside(Path graph) {
    String name = CountedInput.unpackedName(graph);
    return new DefinitionsFile(graph.resolveSibling(name + "." + NAME));
  }

  /** The file that belongs to a graph in a directory. */
  public static DefinitionsFile in(Path directory) {
    return new DefinitionsFile(directory.resolve(NAME));
  }

  /**
   * The file with a path, or with {@code .gz} appended to it. A link counts also if it leads
   * nowhere, so that reading it fails.
   *
   * @return empty if there is neither
   * @throws IOException if the file system cannot tell
   */
  public static Optional<Path> found(Path path) throws IOException {
    for (Path each : List.of(path, path.resolveSibling(path.getFileName() + ".gz"))) {
      if (PathStatus.of(each, LinkOption.NOFOLLOW_LINKS) != PathStatus.ABSENT) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Whether a file has the name of a file of definitions, which may be compressed. */
  public static boolean isName(Path file) {
    String name = CountedInput.unpackedName(file);
    return name.equals(NAME) || name.endsWith("." + NAME);
  }

  /** Its path. */
  public Path path() {
    return path;
  }

  /**
   * Reads the definitions.
   *
   * @throws TransferException if the file cannot be read, or is not understood as a whole; the
   *     message names the file, the line and the member
   */
  public Definitions read() throws IOException {
    return read(parse());
  }

  /** Whether the file is one of definitions, of any version, as far as it says so itself. */
  public boolean isDefinitions() throws IOException {
    try {
      requireFormat(parse());
      return true;
    } catch (TransferException e) {
      return false;
    }
  }

  private Node parse() throws IOException {
    Node.Source source = new Node.Source(path.toString(), ADVICE);
    try (InputStream bytes = new Bounded(CountedInput.open(path, count -> {}));
        Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder());
        BufferedReader json = new BufferedReader(text)) {
      json.mark(1);
      if (json.read() != BYTE_ORDER_MARK) {
        json.reset();
      }
      return JsonNodes.parse(source, json);
    } catch (TransferException e) {
      throw e;
    } catch (CharacterCodingException e) {
      throw new Node(source, 1, "", "").error("not UTF-8", e);
    } catch (IOException e) {
      throw new Node(source, 0, "", "").error("cannot read: reason=" + CountedInput.reason(e), e);
    }
  }

  /** Ends with an error after the largest number of bytes, also of a small compressed file. */
  private static final class Bounded extends FilterInputStream {
    private long bytes;

    Bounded(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = in.read();
      count(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int read = in.read(to, offset, length);
      count(Math.max(read, 0));
      return read;
    }

    private void count(int more) throws IOException {
      bytes += more;
      if (bytes > MOST_BYTES) {
        throw new IOException(
            "larger than a file of definitions may be: most=" + MOST_BYTES + " bytes uncompressed");
      }
    }
  }

  private static void requireFormat(Node root) throws TransferException {
    if (!root.map().containsKey(FORMAT) || !root.map().get(FORMAT).isText()) {
      throw root.error("not a file of definitions: missing member=" + FORMAT);
    }
    Node format = root.map().get(FORMAT);
    if (!format.text().equals(FORMAT_NAME)) {
      throw format.error("not a file of definitions: wanted=" + FORMAT_NAME);
    }
  }

  private static Definitions read(Node root) throws TransferException {
    requireFormat(root);
    Node version = root.map().get(VERSION_NUMBER);
    if (version == null) {
      throw root.error("a member is missing: member=" + VERSION_NUMBER);
    }
    long number = version.number(1, Integer.MAX_VALUE);
    if (number > VERSION) {
      throw version.error(
          "a newer release of BG3 wrote this file, and can load it: version="
              + number
              + ", known=1 to "
              + VERSION);
    }
    Node.Members members = root.members(MEMBERS);
    DefinitionsReader reader = new DefinitionsReader();
    each(members, FAMILIES, reader::family);
    each(members, LABELS, reader::label);
    each(members, SCHEMAS, reader::schema);
    each(members, INDEXES, reader::index);
    return reader.definitions();
  }

  private static void each(Node.Members members, String list, Part part) throws TransferException {
    for (Node node : members.list(list)) {
      part.read(node);
    }
  }

  /** Writes the definitions, one a line; a file that exists is replaced. */
  public void write(Definitions definitions) throws IOException {
    StringBuilder text = new StringBuilder("{\n");
    text.append("  ").append(json(FORMAT)).append(": ").append(json(FORMAT_NAME)).append(",\n");
    text.append("  ").append(json(VERSION_NUMBER)).append(": ").append(VERSION);
    write(FAMILIES, definitions.families().stream().map(DefinitionMaps::of).toList(), text);
    write(LABELS, definitions.labels().stream().map(DefinitionMaps::of).toList(), text);
    write(SCHEMAS, definitions.schemas().stream().map(DefinitionMaps::of).toList(), text);
    write(INDEXES, definitions.indexes().stream().map(DefinitionMaps::of).toList(), text);
    Files.writeString(path, text + "\n}\n");
  }

  private static void write(String name, List<Map<String, Object>> list, StringBuilder text)
      throws IOException {
    text.append(",\n  ").append(json(name)).append(": [");
    String separator = "\n    ";
    for (Map<String, Object> definition : list) {
      text.append(separator).append(json(definition));
      separator = ",\n    ";
    }
    text.append(list.isEmpty() ? "]" : "\n  ]");
  }

  private static String json(Object value) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.setPrettyPrinter(new Spaces());
      write(value, json);
    }
    return text.toString();
  }

  private static void write(Object value, JsonGenerator json) throws IOException {
    if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> member : map.entrySet()) {
        json.writeFieldName((String) member.getKey());
        write(member.getValue(), json);
      }
      json.writeEndObject();
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        write(element, json);
      }
      json.writeEndArray();
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value instanceof Number number) {
      json.writeNumber(number.longValue());
    } else {
      json.writeString((String) value);
    }
  }

  /** Writes a value in one line, with a space behind each comma and colon. */
  private static final class Spaces extends MinimalPrettyPrinter {
    private static final long serialVersionUID = 1L;

    @Override
    public void writeObjectFieldValueSeparator(JsonGenerator json) throws IOException {
      json.writeRaw(": ");
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator json) throws IOException {
      json.writeRaw(", ");
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator json) throws IOException {
      json.writeRaw(", ");
    }
  }
}
