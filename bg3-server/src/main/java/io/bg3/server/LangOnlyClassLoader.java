package io.bg3.server;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptEngineFactory;

/**
 * A context class loader under which gremlin-lang is the only script engine.
 *
 * <p>TinkerPop finds script engines with {@link java.util.ServiceLoader}, through the context class
 * loader of the thread that creates an engine manager. The jar with the Groovy engine cannot be
 * left out, because Gremlin Server's executor is in it. Gremlin Server creates one engine manager
 * at its start and one for each session, so restricting one manager is not enough. This class
 * loader replaces the list of services for every thread that descends from the thread that started
 * the server.
 */
final class LangOnlyClassLoader extends ClassLoader {
  private static final String SERVICES =
      "META-INF/services/" + GremlinScriptEngineFactory.class.getName();

  /** The resource that replaces the list of services. */
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
