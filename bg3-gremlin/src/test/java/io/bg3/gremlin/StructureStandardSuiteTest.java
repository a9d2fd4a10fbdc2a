package io.bg3.gremlin;

import io.bg3.gremlin.structure.Bg3Graph;
import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.structure.StructureStandardSuite;
import org.junit.runner.RunWith;

/**
 * TinkerPop's suite about graphs, elements, properties, transactions and files.
 *
 * <p>Takes about 30 s: TinkerPop's own proof that the provider conforms. Its length is fixed.
 */
@RunWith(StructureStandardSuite.class)
@GraphProviderClass(provider = Bg3GraphProvider.class, graph = Bg3Graph.class)
public class StructureStandardSuiteTest {}
