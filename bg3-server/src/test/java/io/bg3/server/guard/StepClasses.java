package io.bg3.server.guard;

import io.bg3.gremlin.structure.Bg3Graph;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Step;

/** The classes of steps of TinkerPop and of BG3, as their files have them. */
final class StepClasses {
  private static final String STEP = "(org/apache/tinkerpop|io/bg3)/gremlin/process/.*[.]class";

  private StepClasses() {}

  /** Those that a traversal has without a graph computer. */
  static List<Class<?>> ofTraversals() throws IOException, URISyntaxException {
    return all().stream()
        .filter(type -> type.getName().matches(".*[.]process[.]traversal[.]step[.].*Step"))
        .toList();
  }

  /** All of them. */
  static List<Class<?>> all() throws IOException, URISyntaxException {
    List<String> files = new ArrayList<>(files(Step.class));
    files.addAll(files(Bg3Graph.class));
    List<Class<?>> all = new ArrayList<>();
    for (String file : files) {
      if (file.matches(STEP)) {
        Class<?> type = type(file.replace('/', '.').replace(".class", ""));
        if (Step.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
          all.add(type);
        }
      }
    }
    return all;
  }

  /** The names of the files beside a class, in its jar or in its directory. */
  private static List<String> files(Class<?> one) throws IOException, URISyntaxException {
    Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      try (Stream<Path> files = Files.walk(place)) {
        return files.map(file -> place.relativize(file).toString().replace('\\', '/')).toList();
      }
    }
    try (JarFile jar = new JarFile(place.toFile())) {
      return jar.stream().map(entry -> entry.getName()).toList();
    }
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name, false, Step.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
