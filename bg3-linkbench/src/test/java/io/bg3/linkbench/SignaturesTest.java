package io.bg3.linkbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.facebook.LinkBench.GraphStore;
import com.facebook.LinkBench.Link;
import com.facebook.LinkBench.LinkCount;
import com.facebook.LinkBench.LinkStore;
import com.facebook.LinkBench.Node;
import com.facebook.LinkBench.NodeStore;
import com.facebook.LinkBench.Phase;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The classes that BG3 compiles against have the members that LinkBench's have, and the methods
 * that LinkBench leaves to a store are among them. LinkBench's classes are read from the jar that
 * {@code -Dlinkbench.jar} names; classes that they refer to (a logger, an enum of operations) may
 * be missing.
 */
class SignaturesTest {
  private static final String JAR = System.getProperty("linkbench.jar", "");

  @ParameterizedTest
  @ValueSource(
      classes = {
        Link.class,
        Node.class,
        LinkCount.class,
        Phase.class,
        LinkStore.class,
        NodeStore.class,
        GraphStore.class
      })
  void agreeWithLinkBench(Class<?> ours) throws IOException, ReflectiveOperationException {
    assumeTrue(!JAR.isEmpty(), "LinkBench is not there: give its jar with -Dlinkbench.jar=FILE");
    assertTrue(Files.isReadable(Path.of(JAR)), "no such jar: file=" + JAR);
    URL[] jar = {Path.of(JAR).toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
      Class<?> theirs = loader.loadClass(ours.getName());
      assertEquals(kind(theirs), kind(ours));
      Set<String> missing = members(ours);
      missing.removeAll(members(theirs));
      assertEquals(Set.of(), missing, "what LinkBench does not have");
      Set<String> unknown = abstractMethods(theirs);
      unknown.removeAll(abstractMethods(ours));
      assertEquals(Set.of(), unknown, "what LinkBench asks of a store");
      for (Field field : ours.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType().isPrimitive()) {
          assertEquals(
              theirs.getField(field.getName()).get(null), field.get(null), field.getName());
        }
      }
    }
  }

  private static String kind(Class<?> type) {
    return (Modifier.isAbstract(type.getModifiers()) ? "abstract " : "")
        + (type.isInterface() ? "interface" : type.isEnum() ? "enum" : "class")
        + " extends "
        + (type.getSuperclass() == null ? "" : type.getSuperclass().getName())
        + Arrays.stream(type.getInterfaces()).map(Class::getName).sorted().toList();
  }

  /** Everything that is not private; of methods also what they return. */
  private static Set<String> members(Class<?> type) {
    return Stream.of(
            Arrays.stream(type.getDeclaredFields())
                .filter(SignaturesTest::isOpen)
                .map(field -> modifiers(field) + field.getType().getName() + " " + field.getName()),
            Arrays.stream(type.getDeclaredConstructors())
                .filter(SignaturesTest::isOpen)
                .map(Constructor::toString),
            Arrays.stream(type.getDeclaredMethods())
                .filter(SignaturesTest::isOpen)
                .filter(method -> !method.getName().equals("hashCode")) // ours for tests
                .map(method -> modifiers(method) + text(method)))
        .flatMap(texts -> texts)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> abstractMethods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> Modifier.isAbstract(method.getModifiers()))
        .map(SignaturesTest::text)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isOpen(Member member) {
    return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
        && !member.isSynthetic();
  }

  private static String modifiers(Member member) {
    int told = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.ABSTRACT;
    return Modifier.toString(member.getModifiers() & told) + " ";
  }

  private static String text(Method method) {
    return method.getReturnType().getName()
        + " "
        + method.getName()
        + Arrays.stream(method.getParameterTypes()).map(Class::getName).toList();
  }
}
