package io.bg3.gremlin;

import io.bg3.gremlin.structure.Bg3Graph;
import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedStandardSuite;
import org.junit.runner.RunWith;

/**
 * TinkerPop's suite about traversals inside the JVM of the graph.
 *
 * <p>Takes about 10 s: TinkerPop's own proof that traversals conform. Its length is fixed.
 */
@RunWith(ProcessEmbeddedStandardSuite.class)
@GraphProviderClass(provider = Bg3GraphProvider.class, graph = Bg3Graph.class)
public class ProcessEmbeddedStandardSuiteTest {}
