package io.bg3.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Setting;
import io.bg3.server.ConfigFile;
import io.bg3.server.ServerKey;
import io.bg3.source.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The configuration reference and the sample file say what the code says. Both are rendered from
 * the settings; with {@code -Dbg3.write=true} this test writes them instead of comparing.
 */
class ConfigurationFilesTest {
  private static final int WIDTH = 118;

  private record Entry(String key, String standard, String unit, String range, String text) {}

  @Test
  void theReferenceIsWhatTheCodeSays() throws IOException {
    compare("docs/configuration.md", reference());
  }

  @Test
  void theSampleIsWhatTheCodeSays() throws IOException {
    compare("conf/bg3.properties", sample());
  }

  @Test
  void theSampleCanBeRead() throws IOException {
    assertEquals(
        ConfigFile.empty().server(),
        ConfigFile.read(Sources.root().resolve("conf/bg3.properties")).server());
  }

  private static void compare(String name, String rendered) throws IOException {
    Path file = Sources.root().resolve(name);
    if (Boolean.getBoolean("bg3.write")) {
      Files.writeString(file, rendered);
    }
    assertEquals(
        rendered, Files.readString(file), name + " is stale; write it with -Dbg3.write=true");
  }

  private static String reference() {
    StringBuilder page = new StringBuilder();
    page.append("# Configuration\n\n")
        .append(
            wrap(
                "",
                "This page is for operators and for developers who embed BG3. It describes the"
                    + " configuration file, and the meaning, the default and the range of each"
                    + " setting."))
        .append('\n')
        .append(
            wrap(
                "",
                "A configuration file holds `key=value` lines, in UTF-8. `conf/bg3.properties` has"
                    + " every key with its default. `bin/bg3 server` and the other commands on a"
                    + " store read the file with `--config FILE`. Options of a command (`--data`,"
                    + " `--host`, `--port`) take precedence over the file. An unknown key is an"
                    + " error that names the nearest known key. A value out of its range is an"
                    + " error that names the range. An embedded graph takes the `bg3.*` keys:"
                    + " `Bg3Graph.open(configuration)`."))
        .append('\n')
        .append(
            wrap(
                "",
                "A number of bytes may end in `k`, `m`, `g` or `t` if the key begins with `bg3.`."
                    + " This page is generated from the code."))
        .append("\n## The store\n");
    store().forEach(entry -> describe(page, entry));
    page.append("\n## The server\n");
    server().forEach(entry -> describe(page, entry));
    page.append("\n## Further graphs\n\n")
        .append(
            wrap(
                "",
                "A server may serve other graphs in addition to the default graph `g`: see"
                    + " [operations](operations.md#several-graphs). NAME stands for the name of a"
                    + " graph, which is also the name of its traversal source."));
    graphs().forEach(entry -> describe(page, entry));
    page.append("\n## The environment of bin/bg3\n\n")
        .append("| variable | meaning |\n|---|---|\n")
        .append("| `JAVA_HOME` | directory of the Java to run; default: the `java` of the path |\n")
        .append(
            "| `BG3_HEAP` | size of the heap, such as `2g`; default: a quarter of the machine's"
                + " memory, at most 8 GiB |\n")
        .append("| `BG3_DIRECT` | memory outside the heap; default: half of the machine's |\n")
        .append("| `BG3_JAVA_OPTIONS` | further options of the JVM, which override the others |\n")
        .append(
            "| `BG3_BUILD` | `no`: does not rebuild the distribution if the sources are newer |\n")
        .append("| `BG3_STACKTRACE` | if set, errors have a stack trace |\n");
    return page.toString();
  }

  private static void describe(StringBuilder page, Entry entry) {
    page.append("\n### ").append(entry.key).append("\n\n");
    page.append(wrap("", entry.text));
    page.append("\nDefault: ")
        .append(entry.standard.isEmpty() ? "none" : "`" + entry.standard + "`");
    page.append(". Unit: ").append(entry.unit);
    page.append(entry.range.isEmpty() ? "" : ". Values: " + entry.range).append(".\n");
  }

  private static String sample() {
    StringBuilder file = new StringBuilder();
    file.append(
        "# Settings of BG3 with their defaults. Remove the # before a key to change it. Start"
            + " with\n");
    file.append("#   bin/bg3 server --config conf/bg3.properties\n");
    for (List<Entry> entries : List.of(store(), server())) {
      for (Entry entry : entries) {
        file.append('\n').append(wrap("# ", entry.text));
        file.append("# Unit: ").append(entry.unit);
        file.append(entry.range.isEmpty() ? "" : ". Values: " + entry.range).append(".\n");
        file.append('#').append(entry.key).append('=').append(entry.standard).append('\n');
      }
    }
    for (Entry entry : graphs()) {
      file.append('\n').append(wrap("# ", entry.text));
      file.append("# Unit: ").append(entry.unit);
      file.append(entry.range.isEmpty() ? "" : ". Values: " + entry.range).append(".\n");
      file.append('#').append(entry.key.replace("NAME", "people")).append('=');
      file.append(entry.standard).append('\n');
    }
    return file.toString();
  }

  /** The keys of further graphs, which have the name of the graph in them. */
  private static List<Entry> graphs() {
    return List.of(
        new Entry(
            "graphs.NAME.data",
            "",
            "text",
            "any",
            "The directory of the store of a further graph. Clients name the graph as traversal"
                + " source NAME."),
        new Entry(
            "graphs.NAME.share",
            "1",
            "weight",
            "1 to 1000000",
            "The weight of the graph's part of the memory budget of the server, which is"
                + " bg3.memory.budget or its default. graphs.g.share is that of the default"
                + " graph."),
        new Entry(
            "graphs.NAME.bg3.durability",
            "sync",
            "as without graphs.NAME",
            "",
            "A setting of the store of the graph. Each key that begins with bg3. may follow the"
                + " name, except bg3.directory and bg3.memory.budget. An absent setting is that of"
                + " the default graph."));
  }

  private static List<Entry> store() {
    List<Entry> entries = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      entries.add(
          new Entry(
              setting.key(),
              setting.defaultText(),
              switch (setting.kind()) {
                case MILLIS -> "milliseconds";
                case TEXT, CHOICE -> "text";
                default -> setting.kind().name().toLowerCase(Locale.ROOT);
              },
              setting.range(),
              setting.description()));
    }
    return entries;
  }

  private static List<Entry> server() {
    return Arrays.stream(ServerKey.values())
        .map(key -> new Entry(key.key(), key.standard(), key.unit(), key.range(), key.text()))
        .toList();
  }

  private static String wrap(String margin, String text) {
    StringBuilder wrapped = new StringBuilder();
    StringBuilder line = new StringBuilder(margin);
    for (String word : text.split(" ", -1)) {
      if (line.length() > margin.length() && line.length() + 1 + word.length() > WIDTH) {
        wrapped.append(line).append('\n');
        line = new StringBuilder(margin);
      }
      line.append(line.length() > margin.length() ? " " : "").append(word);
    }
    return wrapped.append(line).append('\n').toString();
  }
}
