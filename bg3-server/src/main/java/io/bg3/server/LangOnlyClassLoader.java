package io.bg3.server;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptEngineFactory;

/**
 * A context class loader under which the only script engine that can be found is gremlin-lang.
 *
 * <p>TinkerPop finds its engines by {@link java.util.ServiceLoader} through the context class
 * loader of the thread that makes an engine manager, and the jar with the Groovy engine cannot be
 * left out, because the server's own executor lives in it. The server makes one manager at its
 * start and one for every session, so naming engines at one manager is not enough: here the list of
 * services itself is replaced, for every thread that descends from the one that started the server.
 */
final class LangOnlyClassLoader extends ClassLoader {
  private static final String SERVICES =
      "META-INF/services/" + GremlinScriptEngineFactory.class.getName();
  private static final String ONLY = "engines";

  LangOnlyClassLoader(ClassLoader parent) {
    super(parent);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    if (!SERVICES.equals(name)) {
      return super.getResources(name);
    }
    URL only = LangOnlyClassLoader.class.getResource(ONLY);
    return Collections.enumeration(
        List.of(Objects.requireNonNull(only, "resource is missing: name=" + ONLY)));
  }

  @Override
  public URL getResource(String name) {
    return SERVICES.equals(name)
        ? LangOnlyClassLoader.class.getResource(ONLY)
        : super.getResource(name);
  }
}
