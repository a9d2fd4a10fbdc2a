package io.bg3.gremlin;

import io.bg3.gremlin.structure.Bg3Graph;
import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedComputerSuite;
import org.junit.runner.RunWith;

/**
 * TinkerPop's suite about graph computers inside the JVM of the graph.
 *
 * <p>Takes about 20 s: TinkerPop's own proof that computations conform. Its length is fixed.
 */
@RunWith(ProcessEmbeddedComputerSuite.class)
@GraphProviderClass(provider = Bg3ComputerProvider.class, graph = Bg3Graph.class)
public class ProcessEmbeddedComputerSuiteTest {}
