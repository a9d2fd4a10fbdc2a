package io.bg3.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bg3.source.Sources;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The page on embedding names the packages and exceptions that an application may rely on. A public
 * method of such a package needs no class of any other package of BG3's, so that who uses the
 * interface never has to touch what is internal.
 */
class PublicApiTest {
  private static final String PAGE = "docs/embedding.md";

  /** Members that BG3's own modules need of each other; an application has no use for them. */
  private static final Set<String> FOR_OWN_MODULES =
      Set.of(
          "io.bg3.Bg3.transactions: io.bg3.core.transaction.TransactionManager",
          "io.bg3.Bg3.sampleImages: io.bg3.storage.extent.Stream",
          "io.bg3.gremlin.structure.Bg3Graph.neighbours:"
              + " io.bg3.gremlin.process.traversal.step.util.NeighbourLookup",
          "io.bg3.gremlin.structure.Bg3Graph.neighbours:"
              + " io.bg3.gremlin.process.traversal.step.util.NeighbourLookup$Use",
          "io.bg3.gremlin.structure.Bg3Graph.paths:"
              + " io.bg3.gremlin.process.traversal.step.util.Hop",
          "io.bg3.gremlin.structure.Bg3Graph.paths:"
              + " io.bg3.gremlin.process.traversal.step.util.PathLookup",
          "io.bg3.gremlin.structure.Bg3Graph.edges:"
              + " io.bg3.gremlin.process.traversal.step.util.EdgeSelection",
          "io.bg3.gremlin.structure.Bg3Graph.edges:"
              + " io.bg3.gremlin.process.traversal.step.util.EdgeReads",
          "io.bg3.gremlin.structure.Bg3Graph.openSnapshot:"
              + " io.bg3.gremlin.process.computer.GraphSnapshot",
          "io.bg3.core.graph.GraphTransaction.commitUnawaited: io.bg3.core.commit.CommitListener",
          "io.bg3.gremlin.structure.CommitGuard.beforeWait: io.bg3.core.commit.CommitListener",
          "io.bg3.core.graph.GraphStore.<init>: io.bg3.core.transaction.TransactionManager",
          "io.bg3.core.graph.GraphStore.<init>: io.bg3.core.transaction.Isolation",
          "io.bg3.core.graph.GraphStore.load: io.bg3.core.sort.EntrySorter",
          "io.bg3.StoreStats.<init>: io.bg3.storage.extent.Stream",
          "io.bg3.StoreStats.streams: io.bg3.storage.extent.Stream");

  private final String page = Sources.text(Path.of(PAGE));
  private final Set<String> packages = named("^\\| `(io\\.bg3[a-z0-9.]*)` \\|");
  private final Set<String> exceptions = named("`(io\\.bg3[a-z0-9.]*\\.\\w+Exception)`");

  @Test
  void publicMethodsNeedPublicClassesAlone() throws ClassNotFoundException {
    assertFalse(packages.isEmpty(), PAGE + " has no table of packages");
    Set<String> found = new TreeSet<>();
    int types = 0;
    for (Path file : Sources.java("main")) {
      if (packages.contains(Sources.packageOf(file))) {
        types += leaks(type(file), found);
      }
    }
    assertEquals(Set.of(), minus(found, FOR_OWN_MODULES), "public methods need internal classes");
    assertEquals(Set.of(), minus(FOR_OWN_MODULES, found), "exempt and not there");
    assertFalse(types < 10, "public types found: " + types);
  }

  @Test
  void thePageNamesThePublicExceptions() throws ClassNotFoundException {
    for (String exception : exceptions) {
      assertEquals(exception, Class.forName(exception).getName());
    }
  }

  private Set<String> named(String pattern) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(page);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  /** Adds what the public methods of a type and of the types in it need; how many types it saw. */
  private int leaks(Class<?> type, Set<String> found) {
    if (type == null || !Modifier.isPublic(type.getModifiers())) {
      return 0;
    }
    int types = 1;
    for (Class<?> inner : type.getDeclaredClasses()) {
      types += leaks(inner, found);
    }
    for (Method method : type.getDeclaredMethods()) {
      add(type, method, method.getName(), method.getGenericReturnType().getTypeName(), found);
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      add(type, constructor, "<init>", "void", found);
    }
    return types;
  }

  private void add(
      Class<?> type, Executable method, String name, String result, Set<String> found) {
    int visible =
        Modifier.PUBLIC | (Modifier.isFinal(type.getModifiers()) ? 0 : Modifier.PROTECTED);
    if ((method.getModifiers() & visible) == 0 || method.isSynthetic()) {
      return;
    }
    List<String> signature = new ArrayList<>(List.of(result));
    for (var parameter : method.getGenericParameterTypes()) {
      signature.add(parameter.getTypeName());
    }
    Matcher matcher = Pattern.compile("io\\.bg3\\.[\\w.$]+").matcher(String.join(" ", signature));
    while (matcher.find()) {
      String needed = matcher.group();
      String home = needed.substring(0, needed.lastIndexOf('.'));
      if (!packages.contains(home) && !needed.endsWith("Exception")) {
        found.add(type.getName() + "." + name + ": " + needed);
      }
    }
  }

  /** The type that a source file declares; null for a file that declares none. */
  private static Class<?> type(Path file) throws ClassNotFoundException {
    String name = file.getFileName().toString().replace(".java", "");
    return name.equals("package-info")
        ? null
        : Class.forName(
            Sources.packageOf(file) + "." + name, false, PublicApiTest.class.getClassLoader());
  }

  private static Set<String> minus(Set<String> all, Set<String> without) {
    return all.stream()
        .filter(name -> !without.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
