package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.jsr223.Bg3GremlinPlugin;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The classes that the distribution loads by name are in it. Reads the jars that this build has
 * packaged, with none of the classes that only tests have: the class path of a test is not the one
 * that is shipped.
 */
class ShippedClassesIT {
  private static final Pattern CLASS_NAME =
      Pattern.compile(
          "(?:org\\.apache\\.tinkerpop|io\\.bg3)\\.(?:[a-z][a-z0-9_]*\\.)*[A-Z]\\w*(?:[$.][A-Z]\\w*)*");
  private static final Pattern OF_GREMLIN = Pattern.compile("(bg3|gremlin|tinkergraph)-.*\\.jar");
  private static final String TINKER_GRAPH =
      "org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph";

  /** Classes that TinkerPop names and a server of BG3 can do without. */
  private static final Pattern NOT_SHIPPED =
      Pattern.compile(
          "org\\.apache\\.tinkerpop\\.gremlin\\.(process|structure)\\.\\w+Suite" // of annotations
              + "|org\\.apache\\.tinkerpop\\.gremlin\\.console\\.Console" // in lib-console
              + "|.*\\.SparqlStrategy" // of a language that is not offered; looked for, may be
              // missing
              + "|org\\.apache\\.tinkerpop\\.shaded\\..*"); // made at run time by a library

  /** Services for libraries that are not there, which is why nobody looks for them. */
  private static final Pattern SERVICE_OF_OTHERS =
      Pattern.compile(
          ".*\\.(LogbackServletContainerInitializer|ObservationThreadLocalAccessor"
              + "|Hidden\\$NettyBlockHoundIntegration)");

  /** Jars that the tests of this module have and a server or console does not want. */
  private static final Pattern ONLY_FOR_TESTS =
      Pattern.compile(
          "(junit|jupiter|opentest4j|apiguardian|hamcrest|cucumber|gherkin|messages|datatable|"
              + "docstring|tag-expressions|ci-environment|html-formatter|testng|guice|javax.inject|"
              + "aopalliance|guava|failureaccess|gremlin-test|error_prone|surefire|query|locale-|"
              + "jakarta|listenablefuture|j2objc|checker-qual|mockito|byte-buddy|objenesis|"
              + "kerb-|kerby-|token-provider|nimbus-jose-jwt|accessors-smart|json-smart|asm-|"
              + "jcip-annotations|jsr305|animal-sniffer|bg3-linkbench|mariadb|jfreechart|"
              + "HdrHistogram|apache-client|bg3-(storage|core|gremlin)-.*-tests).*");

  @Test
  void classesThatAreNamedInTextsAreThere() throws Exception {
    Set<String> named = new TreeSet<>();
    for (Path jar : jars("lib")) {
      if (OF_GREMLIN.matcher(jar.getFileName().toString()).matches()) {
        named.addAll(texts(jar));
      }
    }
    named.removeIf(name -> !CLASS_NAME.matcher(name).matches());
    assertTrue(named.contains(TINKER_GRAPH), named::toString); // of subgraph()
    named.removeIf(name -> NOT_SHIPPED.matcher(name).matches());
    try (URLClassLoader shipped = loader("lib")) {
      named.removeIf(name -> isThere(shipped, name));
    }
    assertEquals(Set.of(), named, "named by TinkerPop or BG3, and in no jar of the distribution");
  }

  @Test
  void servicesAreThere() throws Exception {
    for (List<String> directories : List.of(List.of("lib"), List.of("lib", "lib-console"))) {
      String[] path = directories.toArray(String[]::new);
      try (URLClassLoader shipped = loader(path)) {
        Set<String> named = new TreeSet<>();
        for (Path jar : jars(path)) {
          named.addAll(services(jar));
        }
        assertTrue(named.contains(Bg3GremlinPlugin.class.getName()), named::toString);
        named.removeIf(name -> SERVICE_OF_OTHERS.matcher(name).matches() || isThere(shipped, name));
        assertEquals(Set.of(), named, () -> "services without a class, in " + directories);
      }
    }
  }

  /** The plugins that the console activates at its start are there. */
  @Test
  void pluginsOfTheConsoleAreThere() throws Exception {
    List<String> plugins = Files.readAllLines(distribution().resolve("ext/plugins.txt"));
    assertTrue(plugins.contains(Bg3GremlinPlugin.class.getName()), plugins::toString);
    try (URLClassLoader shipped = loader("lib", "lib-console")) {
      plugins.forEach(plugin -> assertTrue(isThere(shipped, plugin), plugin));
    }
  }

  /** A test that passes with a jar which is not shipped proves nothing about what is. */
  @Test
  void testsHaveNoOtherLibrariesThanTheDistribution() throws Exception {
    Set<String> shipped = new TreeSet<>();
    jars("lib").forEach(jar -> shipped.add(jar.getFileName().toString()));
    Set<String> others = new TreeSet<>();
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : path.split(File.pathSeparator, -1)) {
      String name = Path.of(entry).getFileName().toString();
      if (name.endsWith(".jar")
          && !shipped.contains(name)
          && !ONLY_FOR_TESTS.matcher(name).matches()) {
        others.add(name);
      }
    }
    assertEquals(Set.of(), others, "on the class path of tests, and not in the distribution");
  }

  private static boolean isThere(ClassLoader loader, String name) {
    String tried = name;
    while (true) {
      try {
        Class.forName(tried, false, loader);
        return true;
      } catch (ClassNotFoundException e) {
        int dot = tried.lastIndexOf('.');
        if (dot < 0 || !Character.isUpperCase(tried.charAt(tried.lastIndexOf('.', dot - 1) + 1))) {
          return false;
        }
        tried = tried.substring(0, dot) + '$' + tried.substring(dot + 1); // a nested class
      } catch (LinkageError e) {
        return false;
      }
    }
  }

  private static Path distribution() {
    return Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("target/dist");
  }

  private static List<Path> jars(String... directories) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String directory : directories) {
      try (Stream<Path> files = Files.list(distribution().resolve(directory))) {
        files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
      }
    }
    return jars;
  }

  private static URLClassLoader loader(String... directories) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars(directories)) {
      urls.add(jar.toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static Set<String> services(Path file) throws IOException {
    Set<String> names = new TreeSet<>();
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().matches("META-INF/services/[^/]+")) {
          try (BufferedReader lines =
              new BufferedReader(
                  new InputStreamReader(jar.getInputStream(entry), StandardCharsets.UTF_8))) {
            lines
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .forEach(names::add);
          }
        }
      }
    }
    return names;
  }

  /** The constant strings of all classes of a jar. */
  private static Set<String> texts(Path file) throws IOException {
    Set<String> texts = new TreeSet<>();
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(".class")) {
          try (InputStream in = jar.getInputStream(entry)) {
            addTexts(new DataInputStream(in), texts);
          }
        }
      }
    }
    return texts;
  }

  /** Reads the constant pool of a class, which is the beginning of its file. */
  private static void addTexts(DataInputStream in, Set<String> texts) throws IOException {
    in.skipNBytes(8); // magic and version
    int count = in.readUnsignedShort();
    Map<Integer, String> utf8 = new HashMap<>();
    List<Integer> strings = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> utf8.put(i, in.readUTF());
        case 8 -> strings.add(in.readUnsignedShort());
        case 7, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++; // it takes two places
        }
        default -> throw new IOException("constant is of an unknown kind: tag=" + tag);
      }
    }
    strings.forEach(index -> texts.add(utf8.get(index)));
  }
}
