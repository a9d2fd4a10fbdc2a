package io.bg3.gremlin.jsr223;

import io.bg3.gremlin.structure.Bg3Edge;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.Bg3Vertex;
import org.apache.tinkerpop.gremlin.jsr223.AbstractGremlinPlugin;
import org.apache.tinkerpop.gremlin.jsr223.DefaultImportCustomizer;
import org.apache.tinkerpop.gremlin.jsr223.ImportCustomizer;

/** Makes {@code Bg3Graph} known by its short name in the Gremlin Console and in Gremlin Server. */
public final class Bg3GremlinPlugin extends AbstractGremlinPlugin {
  /** The name for {@code :plugin use}. */
  public static final String NAME = "bg3.graph";

  private static final ImportCustomizer IMPORTS =
      DefaultImportCustomizer.build()
          .addClassImports(Bg3Graph.class, Bg3Vertex.class, Bg3Edge.class)
          .create();
  private static final Bg3GremlinPlugin INSTANCE = new Bg3GremlinPlugin();

  /** For the service loader. */
  public Bg3GremlinPlugin() {
    super(NAME, IMPORTS);
  }

  /** The instance that Gremlin Server takes. */
  public static Bg3GremlinPlugin instance() {
    return INSTANCE;
  }
}
